// A policy in a file of the user's own: which calls are allowed, asked for or
// denied. A project's file cannot have one, for it would be its own judge.
import assert from 'node:assert/strict'
import { mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { createModelRegistry } from '@hookline/agent'
import { scriptedModel } from '@hookline/agent/testing'
import { startDaemon } from '@hookline/daemon'

const user = fileURLToPath(new URL('../policy', import.meta.url))
const folder = await mkdtemp(join(tmpdir(), 'hookline-example-'))
const root = await mkdtemp(join(folder, 'project-'))
const write = (path: string) => ({
  tool: 'write',
  args: { path, content: 'x' },
})
const model = scriptedModel([
  { calls: [write('notes/a.txt'), write('shop.env'), write('plan.txt')] },
  { text: 'One is written, one I may not write, one you did not want.' },
])
const daemon = await startDaemon({
  root,
  user,
  home: join(folder, 'state'),
  isEmbedded: true,
  values: [{ agents: [{ name: 'main', model: 'demo/script' }] }],
  models: createModelRegistry({ models: { 'demo/script': model } }),
})
const { client } = daemon
const { id: sessionId } = await client.createSession({})
const turn = client.send({ sessionId, input: 'Write them.', wait: true })

// #region answer
// The third one waits for a person.
for await (const item of client.watchSession({ sessionId, fromStart: true })) {
  if (item.type !== 'notice' || item.name !== 'approval-asked') continue
  const [asked] = (await client.listApprovals()).items
  if (asked === undefined) throw new Error('The question is gone.')
  console.log(asked.shown) // the call as it is sealed
  await client.answerApproval({
    approvalId: asked.id,
    shownHash: asked.shownHash, // what you saw is what you answer
    type: 'deny',
    reason: 'Plans are made in the meeting.',
  })
  break
}
// #endregion
console.log((await turn).text)

assert.deepEqual(await readdir(root, { recursive: true }), [
  'notes',
  'notes/a.txt',
])
const told = JSON.stringify(model.requests.at(-1)?.messages)
assert.match(told, /Secrets are written by people/)
assert.match(told, /Plans are made in the meeting/)
await daemon.close()
await rm(folder, { recursive: true })
