// Hooks that are a file and a script: they do nothing until somebody has
// looked at them, and refuse when they have changed since.
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { createPolicy, createRuntime, defineTool } from '@hookline/agent'
import { openHooks } from '@hookline/agent/config'
import { scriptedModel } from '@hookline/agent/testing'

const root = fileURLToPath(new URL('../hooks-as-data', import.meta.url))
const state = await mkdtemp(join(tmpdir(), 'hookline-example-'))

const push = { tool: 'shell', args: { command: 'git push --force' } }
const model = scriptedModel([
  { calls: [push] },
  { text: 'Pushed.' },
  { calls: [push] },
  { text: 'I may not force it.' },
])
const shell = defineTool({
  name: 'shell',
  description: 'Runs a command.',
  input: { type: 'object', properties: { command: { type: 'string' } } },
  safety: 'destructive',
  execute: () => 'done',
})
const runtime = createRuntime({
  models: { resolve: () => model },
  policy: createPolicy({ mode: 'open' }),
  tools: [shell],
})
await runtime.register({ name: 'main', model: 'demo', instructions: 'Help.' })

// #region open-hooks
const hooks = await openHooks(runtime, { root, trust: { folder: state } })
const session = await runtime.openSession({ agent: 'main', cwd: root })

console.log((await session.send('Push it.').result).text)
for (const { name, text, hash } of hooks.state.untrusted) {
  console.log(`${name} waits for somebody to look at it:\n${text}`)
  await hooks.accept([hash])
}
console.log((await session.send('Push it again.').result).text)
// #endregion

const told = JSON.stringify(model.requests.at(-1)?.messages.at(-1))
if (!told.includes('Do not force a push')) {
  throw new Error(`The guard did not refuse: ${told}`)
}
await runtime.close()
await hooks.close()
await rm(state, { recursive: true })
