// What one session was told, another one knows: after a restart, too.
import assert from 'node:assert/strict'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createPolicy } from '@hookline/agent'
import { type Script, scriptedModel } from '@hookline/agent/testing'

const folder = await mkdtemp(join(tmpdir(), 'hookline-example-'))
const ann = { kind: 'user', id: 'ann' } as const

// #region memory
import { createDurableRuntime, openStore } from '@hookline/agent/durable'
import { createMemoryPlugin } from '@hookline/agent/plugins'

/** What a process does when it starts. What the model says is written here. */
async function start(script: Script) {
  const store = await openStore({ database: { file: join(folder, 'a.db') } })
  const model = scriptedModel(script)
  const runtime = createDurableRuntime({
    store,
    models: { resolve: () => model },
    policy: createPolicy({ mode: 'open' }),
    plugins: [createMemoryPlugin({ memories: store.memories })],
  })
  const plugins = { memory: {} } // without this, the agent has none
  await runtime.register({ name: 'm', model: 'x', instructions: '', plugins })
  return { store, runtime, model }
}
// #endregion

const first = await start([
  {
    calls: [
      {
        tool: 'remember',
        args: {
          text: 'The spare key hangs in the shed.',
          subject: 'spare key',
        },
      },
    ],
  },
  { text: 'I will remember that.' },
])
const one = await first.runtime.openSession({ agent: 'm', actor: ann })
await one.send('Remember: the spare key hangs in the shed.').result
await first.runtime.close()
await first.store.close()

const second = await start([{ text: 'In the shed.' }, { text: 'No idea.' }])
const two = await second.runtime.openSession({ agent: 'm', actor: ann })
console.log((await two.send('Where is the spare key?').result).text)
const bob = { kind: 'user', id: 'bob' } as const
const other = await second.runtime.openSession({ agent: 'm', actor: bob })
await other.send('Where is the spare key?').result
await second.runtime.close()
await second.store.close()

const [forAnn, forBob] = second.model.requests.map((request) =>
  JSON.stringify(request.messages),
)
assert.match(forAnn ?? '', /hangs in the shed/)
assert.doesNotMatch(forBob ?? '', /shed/)
await rm(folder, { recursive: true })
