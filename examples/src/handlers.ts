// Hooks that are data: a module, which has a thread of its own, and a prompt,
// which is a question to a model.
import assert from 'node:assert/strict'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { createModelRegistry, createRuntime } from '@hookline/agent'
import { openHooks } from '@hookline/agent/config'
import { scriptedModel } from '@hookline/agent/testing'

const root = fileURLToPath(new URL('../handlers', import.meta.url))
const state = await mkdtemp(join(tmpdir(), 'hookline-example-'))
const large = scriptedModel([
  { text: 'Figure it out yourself!' },
  { text: 'At nine.' },
])
const judge = scriptedModel([
  { text: '{"type":"reject","reason":"It sends people away."}' },
  { text: 'Looks fine to me.' }, // no answer
  { text: 'As I said.' }, // nor is this
])
const runtime = createRuntime({
  models: createModelRegistry({
    models: { 'house/large': large, 'house/judge': judge },
  }),
})
const instructions = 'You answer for a shop.'
await runtime.register({ name: 'main', model: 'house/large', instructions })
const hooks = await openHooks(runtime, { root, trust: { folder: state } })
const hashes = hooks.state.untrusted.map(({ hash }) => hash)
await hooks.accept(hashes)
const session = await runtime.openSession({ agent: 'main', cwd: root })

const rude = await session.send('When do you open?').result
const unjudged = await session.send('When do you open?').result
await runtime.close()
await hooks.close()
await rm(state, { recursive: true })

console.log([rude, unjudged].map(({ text }) => text).join('\n'))
assert.match(JSON.stringify(large.requests[0]), /No exclamation marks/)
assert.match(JSON.stringify(judge.requests[0]), /Figure it out yourself/)
assert.match(rude.text, /It sends people away/)
// A judge that gives no valid answer lets nothing through.
assert.equal(unjudged.status, 'withheld')
