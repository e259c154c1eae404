// Who did what, as lines of a file.
import assert from 'node:assert/strict'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

const folder = await mkdtemp(join(tmpdir(), 'hookline-audit-'))
const file = join(folder, 'audit.jsonl')

// #region audit-log
import { createAgent, defineTool } from '@hookline/agent'
import { auditLog } from '@hookline/agent/hooks'
import { scriptedModel } from '@hookline/agent/testing'

const log = auditLog({ file, results: 'hashes', maxFiles: 10 })

// #endregion
const login = defineTool({
  name: 'login',
  description: 'Logs in.',
  input: { type: 'object', properties: { password: { type: 'string' } } },
  safety: 'read_only',
  execute: () => 'Welcome.',
})
const model = scriptedModel([
  { calls: [{ tool: 'login', args: { password: 'correct horse battery' } }] },
  { text: 'You are in.' },
])
const agent = createAgent({ model, tools: [login], plugins: [log] })
await agent.run('Log me in.').result
await agent.close()

const text = await readFile(file, 'utf8')
const lines = text
  .trimEnd()
  .split('\n')
  .map((line) => JSON.parse(line))
const end = lines.find(({ event }) => event === 'tool.end')
console.log(`${lines.length} lines; ${end.event}: ${end.tool} ${end.status}`)
assert.equal(end.args.password, '[redacted]')
assert.ok(!text.includes('horse'))
await rm(folder, { recursive: true })
