// Hooks that ship, switched on by a file: no code, and options that are checked.
import assert from 'node:assert/strict'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { createPolicy, createRuntime, defineTool } from '@hookline/agent'
import { openHooks } from '@hookline/agent/config'
import { shippedHooks } from '@hookline/agent/hooks'
import { scriptedModel } from '@hookline/agent/testing'

const root = fileURLToPath(new URL('../hooks-in-config', import.meta.url))
const state = await mkdtemp(join(tmpdir(), 'hookline-example-'))

const mail = (to: string) => ({ tool: 'send_mail', args: { to } })
const model = scriptedModel([
  { calls: [mail('ann'), mail('bob')] },
  { text: 'One was sent.' },
])
const sent: unknown[] = []
const sendMail = defineTool({
  name: 'send_mail',
  description: 'Sends a mail.',
  input: { type: 'object', properties: { to: { type: 'string' } } },
  safety: 'destructive',
  execute: ({ to }) => {
    sent.push(to)
    return 'sent'
  },
})
const runtime = createRuntime({
  models: { resolve: () => model },
  policy: createPolicy({ mode: 'open' }),
  tools: [sendMail],
})
await runtime.register({ name: 'main', model: 'demo', instructions: 'Help.' })

// #region use-hooks
const hooks = await openHooks(runtime, {
  root,
  catalogue: shippedHooks,
  trust: { folder: state },
})
// It came with a project, so that somebody looks at it first.
await hooks.accept(hooks.state.untrusted.map(({ hash }) => hash))
// #endregion

const session = await runtime.openSession({ agent: 'main', cwd: root })
const { text } = await session.send('Write to Ann and Bob.').result
const told = JSON.stringify(model.requests.at(-1)?.messages.at(-1))
assert.equal(sent.length, 1)
assert.match(told, /There were 1 calls of \\"send_mail\\" in this turn/)
console.log(`${text} The other was refused by call-limit.`)

await runtime.close()
await hooks.close()
await rm(state, { recursive: true })
