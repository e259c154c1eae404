// Hook files of Claude Code as they are: its events are our points, its tool
// `Bash` is our `shell`, and its scripts see and say what they always did.
import assert from 'node:assert/strict'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { createPolicy, createRuntime, defineTool } from '@hookline/agent'
import { scriptedModel } from '@hookline/agent/testing'

const root = fileURLToPath(new URL('../claude-code', import.meta.url))
const state = await mkdtemp(join(tmpdir(), 'hookline-example-'))
const ran: unknown[] = []
const shell = defineTool({
  name: 'shell',
  description: 'Runs a command.',
  input: { type: 'object', properties: { command: { type: 'string' } } },
  safety: 'destructive',
  execute: ({ command }) => {
    ran.push(command)
    return 'done'
  },
})
const model = scriptedModel([
  {
    calls: [
      { tool: 'shell', args: { command: 'sudo rm -rf /tmp/x' } },
      { tool: 'shell', args: { command: 'ls' } },
    ],
  },
  { text: 'Done.' },
])
const runtime = createRuntime({
  models: { resolve: () => model },
  policy: createPolicy({ mode: 'open' }),
  tools: [shell],
})
await runtime.register({ name: 'main', model: 'demo', instructions: '' })

// #region claude-code
import { lintHookFile, loadDialect, openHooks } from '@hookline/agent/config'

// What in it will not do what its author thinks.
const file = join(root, '.claude/settings.json')
const dialect = await loadDialect('claude-code')
const text = await readFile(file, 'utf8')
const findings = await lintHookFile(text, { dialect, file })
for (const { message } of findings) console.log(message)

const hooks = await openHooks(runtime, { root, trust: { folder: state } })
await hooks.accept(hooks.state.untrusted.map(({ hash }) => hash))
// #endregion

const session = await runtime.openSession({ agent: 'main', cwd: root })
await session.send('Tidy up.').result
console.log(ran)
assert.deepEqual(ran, ['ls'])
const [first, second] = model.requests.map((one) => JSON.stringify(one))
assert.match(first ?? '', /Today is a holiday\./)
assert.match(second ?? '', /Nothing here needs root\./)
await runtime.close()
await hooks.close()
await rm(state, { recursive: true })
