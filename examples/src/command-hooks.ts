// Hooks in bash and in Python: a guard that is started for each call, and a
// rewriter that is one process for all of them.
import assert from 'node:assert/strict'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { createPolicy, createRuntime, defineTool } from '@hookline/agent'
import { openHooks } from '@hookline/agent/config'
import { scriptedModel } from '@hookline/agent/testing'

const root = fileURLToPath(new URL('../command-hooks', import.meta.url))
const state = await mkdtemp(join(tmpdir(), 'hookline-example-'))
const written: unknown[] = []
const write = defineTool({
  name: 'write',
  description: 'Writes a file.',
  input: { type: 'object', properties: { path: { type: 'string' } } },
  safety: 'mutating',
  execute: ({ path }) => {
    written.push(path)
    return 'done'
  },
})
const model = scriptedModel([
  {
    calls: [
      { tool: 'write', args: { path: '/etc/motd' } },
      { tool: 'write', args: { path: '/workspace/notes.txt' } },
      { tool: 'write', args: { path: 'shop.env' } },
    ],
  },
  { text: 'Two are written.' },
])
const runtime = createRuntime({
  models: { resolve: () => model },
  policy: createPolicy({ mode: 'open' }),
  tools: [write],
})
await runtime.register({ name: 'main', model: 'demo', instructions: '' })
const hooks = await openHooks(runtime, { root, trust: { folder: state } })
await hooks.accept(hooks.state.untrusted.map(({ hash }) => hash))

const session = await runtime.openSession({ agent: 'main', cwd: root })
await session.send('Write them.').result
console.log(written)
assert.deepEqual(
  new Set(written),
  new Set(['/workspace/etc/motd', '/workspace/notes.txt']),
)
// The guard saw the path that the other one had made of it.
const told = JSON.stringify(model.requests.at(-1)?.messages)
assert.match(told, /\/workspace\/shop\.env/)
assert.match(told, /Secrets are written by people\./)
await runtime.close()
await hooks.close()
await rm(state, { recursive: true })
