// What was decided is on record; a new hook can be tried on it before it is
// let loose on anybody.
import assert from 'node:assert/strict'
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createModelRegistry } from '@hookline/agent'
import { scriptedModel } from '@hookline/agent/testing'
import { startDaemon } from '@hookline/daemon'

const folder = await mkdtemp(join(tmpdir(), 'hookline-example-'))
const root = join(folder, 'project')
const user = join(folder, 'config')
await mkdir(root)
await mkdir(user)
await writeFile(
  join(user, 'hooks.json'),
  JSON.stringify({
    hooks: [
      {
        name: 'no-dots',
        on: 'tool.guard',
        match: { tool: 'write', args: { path: '.*' } },
        handler: {
          type: 'command',
          argv: ['sh', '-c', 'echo No. >&2; exit 2'],
        },
      },
    ],
    // What is needed to ask again later; by default only metadata is kept.
    store: { content: { runs: 'redacted' } },
    policy: { mode: 'open' },
  }),
)
const write = (path: string) => ({
  tool: 'write',
  args: { path, content: 'x' },
})
const model = scriptedModel([
  { calls: [write('a.txt'), write('.profile'), write('b.md')] },
  { text: 'Two of three.' },
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
await client.send({ sessionId, input: 'Write them.', wait: true })

// #region why
const { items } = await client.listRuns({ sessionId, hook: 'no-dots' })
const [run] = items
const why = await client.whyCall({ callId: run?.callId ?? '', sessionId })
console.log(`${why.tool} was ${why.status}`)
for (const { hook, answer, state, reason } of why.verdicts) {
  console.log(`${hook}: ${answer ?? state} ${reason ?? ''}`)
}
// #endregion
assert.equal(why.status, 'denied')

// #region backtest
// What would have been different with a stricter one? Nothing is done again.
const file = join(user, 'draft.json')
const report = await client.backtest({
  hook: {
    name: 'only-text',
    on: 'tool.guard',
    match: { tool: 'write', args: { path: { $not: '*.txt' } } },
    handler: { type: 'command', argv: ['sh', '-c', 'echo No. >&2; exit 2'] },
  },
  file,
  since: 0,
})
console.log(`${report.changed} of ${report.judged} calls would be refused`)
// #endregion
// Of the two that it refuses, one was refused already.
assert.equal(report.changed, 1)
await daemon.close()
await rm(folder, { recursive: true })
