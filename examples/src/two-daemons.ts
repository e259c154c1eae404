// Two daemons on one Postgres. The first begins a turn and stops while a person
// is asked; the answer is given to the second, which finishes the turn.
import assert from 'node:assert/strict'
import { mkdir, mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createModelRegistry } from '@hookline/agent'
import { scriptedModel } from '@hookline/agent/testing'
import { startDaemon } from '@hookline/daemon'
import { startPostgres } from '../../packages/agent/src/store/fixtures/postgres-server.ts'

const folder = await mkdtemp(join(tmpdir(), 'hookline-example-'))
const root = join(folder, 'project')
await mkdir(root)
const postgres = await startPostgres()

const write = { tool: 'write', args: { path: 'a.txt', content: 'Hello' } }
const model = scriptedModel(({ messages }) =>
  messages.at(-1)?.role === 'user'
    ? { calls: [write] }
    : { text: 'It is written.' },
)

// #region two-daemons
/** Each has a home of its own; sessions and questions are in the database. */
const start = (name: string) =>
  startDaemon({
    root,
    home: join(folder, name),
    user: join(folder, 'config'),
    database: { url: postgres.url }, // in files: store: { urlEnv: … }
    values: [{ agents: [{ name: 'main', model: 'demo/script' }] }],
    models: createModelRegistry({ models: { 'demo/script': model } }),
  })
const one = await start('one')
const two = await start('two')

const { id: sessionId } = await one.client.createSession({})
await one.client.send({ sessionId, input: 'Leave a greeting.' })
const stream = two.client.watchSession({ sessionId, fromStart: true })
for await (const item of stream) {
  if (item.type === 'notice' && item.name === 'approval-asked') {
    await one.close({ graceMs: 0 }) // as if that machine were gone
    const [asked] = (await two.client.listApprovals()).items
    if (asked === undefined) throw new Error('The question is gone.')
    const { id: approvalId, shownHash } = asked
    await two.client.answerApproval({ approvalId, shownHash, type: 'allow' })
  }
  if (item.type === 'event' && item.event.type === 'turn-end') break
}
const { items } = await two.client.listTurns({ sessionId })
// #endregion

console.log(items.map(({ number, status }) => `turn ${number}: ${status}`))
assert.deepEqual(await readdir(root), ['a.txt'])
assert.equal(items[0]?.status, 'succeeded')
await two.close()
await postgres.remove()
await rm(folder, { recursive: true })
