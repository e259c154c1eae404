// A program that talks to a daemon: here one that it starts itself, in a folder
// of its own, with a scripted model.
import { mkdir, mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createModelRegistry } from '@hookline/agent'
import { scriptedModel } from '@hookline/agent/testing'
import { startDaemon } from '@hookline/daemon'
import { createClient } from '@hookline/daemon/client'

const folder = await mkdtemp(join(tmpdir(), 'hookline-example-'))
const root = join(folder, 'project')
const home = join(folder, 'state')
await mkdir(root)
const model = scriptedModel([{ text: 'Nothing changed since Monday.' }])
const daemon = await startDaemon({
  root,
  home,
  user: join(folder, 'config'),
  values: [{ agents: [{ name: 'main', model: 'demo/script' }] }],
  models: createModelRegistry({ models: { 'demo/script': model } }),
})
const socket = join(home, 'run', 'daemon.sock')
const token = (await readFile(join(home, 'token'), 'utf8')).trim()

// #region daemon-client
const client = createClient({ socket, token })
const { id: sessionId } = await client.createSession({})
await client.send({ sessionId, input: 'What changed last week?' })

for await (const item of client.watchSession({ sessionId, fromStart: true })) {
  if (item.type !== 'event') continue
  if (item.event.type === 'text-delta') process.stdout.write(item.event.text)
  if (item.event.type === 'turn-end') break
}
// #endregion

process.stdout.write('\n')
client.close()
await daemon.close()
await rm(folder, { recursive: true })
