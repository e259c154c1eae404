import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { type Clock, systemClock } from 'hookline'
import { expect, onTestFinished, test, vi } from 'vitest'
import type { DaemonOptions } from '../start-daemon.ts'
import { startHere, tell, until } from './fixtures/live-daemon.ts'
import { siteForEach } from './fixtures/site.ts'

vi.setConfig({ testTimeout: 120_000, hookTimeout: 60_000 })

const site = siteForEach()

const start = (options: DaemonOptions = {}) => startHere(site, options)

/** Changes what is kept behind the daemon's back. */
function edit(sql: string): void {
  const database = new DatabaseSync(join(site.home, 'hookline.db'))
  try {
    database.exec('PRAGMA busy_timeout = 10000')
    database.exec(sql)
  } finally {
    database.close()
  }
}

function count(sql: string): number {
  const database = new DatabaseSync(join(site.home, 'hookline.db'), {
    readOnly: true,
  })
  try {
    return Number(database.prepare(sql).get()?.['n'])
  } finally {
    database.close()
  }
}

const write = { tool: 'write', args: { path: 'note.txt', content: 'x' } }
const asking = {
  values: [{ plugins: { skills: false, memory: false, delegate: false } }],
}

test('F214 T56 audit entries that are edited or removed are found, and so is an end that was cut off', async () => {
  const first = await startHere(site)
  const { items } = await first.client.listHooks()
  const name = items[0]?.name ?? ''
  for (const mode of ['evaluate', 'enforce', 'evaluate', 'enforce'] as const) {
    await first.client.setHook({ name, mode })
  }
  await first.close()
  const { client } = await start()
  const check = async () => {
    const { isIntact, anchoredUpTo } = await client.verifyAudit({})
    return { isIntact, isAnchored: Number(anchoredUpTo) > 0 }
  }
  expect(await check()).toEqual({ isIntact: true, isAnchored: true })
  edit('CREATE TABLE kept_audit AS SELECT * FROM audit')
  const before = 'seq = (SELECT MAX(seq) - 1 FROM audit)'
  for (const harm of [
    `UPDATE audit SET actor = 'nobody' WHERE ${before}`,
    `DELETE FROM audit WHERE ${before}`,
    // The chain alone does not show that; what was written down beside it does.
    'DELETE FROM audit WHERE seq > (SELECT MIN(seq) FROM audit)',
  ]) {
    edit(harm)
    expect((await check()).isIntact).toBe(false)
    edit('DELETE FROM audit; INSERT INTO audit SELECT * FROM kept_audit')
    expect((await check()).isIntact).toBe(true)
  }
})

test('F203 a clock that jumps back by hours or ahead by days expires nothing, and no duration is negative', async () => {
  let offsetMs = 0
  const clock: Clock = {
    ...systemClock,
    now: () => systemClock.now(),
    after: (ms, run) => systemClock.after(ms, run),
    wallAt: (at) => systemClock.wallAt(at) + offsetMs,
  }
  site.write(
    'user/hooks.yaml',
    "hooks:\n  - { name: slow, on: tool.pre_call, handler: { type: command, shell: 'sleep 0.3' } }\n",
  )
  const { client } = await start({ ...asking, clock })
  const { id: sessionId } = await client.createSession({})
  await client.send({ sessionId, input: JSON.stringify([write]) })
  const approval = await until(async () => {
    return (await client.listApprovals({ sessionId })).items[0]
  })
  for (const jump of [-6 * 3_600_000, 3 * 86_400_000]) {
    offsetMs = jump
    const glob = { tool: 'glob', args: { pattern: '*' } }
    const { results } = await tell(client, [glob])
    expect(results).toMatchObject([{ isError: false }])
    const { items } = await client.listApprovals({ sessionId })
    expect(items.map(({ id }) => id)).toEqual([approval.id])
  }
  const { items } = await client.listRuns({ hook: 'slow' })
  expect(items).toHaveLength(3)
  for (const { latencyMs = -1 } of items) {
    expect(latencyMs).toBeGreaterThan(200)
    expect(latencyMs).toBeLessThan(60_000)
  }
  const { id: approvalId, shownHash } = approval
  const answer = { approvalId, shownHash, type: 'allow' as const }
  expect(await client.answerApproval(answer)).toMatchObject({
    type: 'accepted',
  })
  await until(() => site.read('root/note.txt') === 'x')
})

test('F185 an answer is awaited for longer than a timer can count, and nothing ends before', async () => {
  const first = await startHere(site, asking)
  const { id: sessionId } = await first.client.createSession({})
  await first.client.send({ sessionId, input: JSON.stringify([write]) })
  const { id: approvalId, shownHash } = await until(async () => {
    return (await first.client.listApprovals({ sessionId })).items[0]
  })
  await first.close()
  // Timers of more than 24 days would fire at once.
  const expiresAt = Date.now() + 40 * 86_400_000
  edit(`UPDATE approvals SET expires_at = ${expiresAt}`)
  const { client } = await start(asking)
  await client.resume({ sessionId })
  await until(async () => {
    const { state } = await client.getSession({ sessionId })
    return state === 'waiting'
  })
  const waiting = await client.getApproval({ approvalId })
  expect(waiting).toMatchObject({ state: 'pending', expiresAt })
  const answer = { approvalId, shownHash, type: 'allow' as const }
  expect(await client.answerApproval(answer)).toMatchObject({
    type: 'accepted',
  })
  await until(() => site.read('root/note.txt') === 'x')
})

test('F162 thousands of runs that a dead process left are swept in stages, and gates answer before that is through', async () => {
  site.write(
    'user/hooks.yaml',
    "hooks:\n  - { name: gate, on: tool.guard, handler: { type: command, argv: ['true'] } }\n",
  )
  const first = await startHere(site)
  await tell(first.client, [write])
  await first.close()
  edit(`WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 5000)
    INSERT INTO runs (id, dispatch, point, hook, attempt, state, started_at, worker)
    SELECT 'left-' || i, 'left-' || i, 'tool.guard', 'gate', 1, 'started', 1, 'dead' FROM n`)
  const { client, daemon } = await start()
  // Some are swept while the gate is asked, and the last only after it.
  const { database } = daemon.workspace.store.parts
  const real = database.write.bind(database)
  const { promise: answered, resolve: goOn } = Promise.withResolvers<void>()
  let stages = 0
  const writes = vi
    .spyOn(database, 'write')
    .mockImplementation(async (unit) => {
      if (unit.name === 'runs.sweep' && ++stages > 10) await answered
      return await real(unit)
    })
  onTestFinished(() => writes.mockRestore())
  const other = { tool: 'write', args: { path: 'other.txt', content: 'x' } }
  try {
    const { results } = await tell(client, [other])
    expect(results).toMatchObject([{ isError: false }])
    expect(
      count("SELECT COUNT(*) AS n FROM runs WHERE state = 'started'"),
    ).toBeGreaterThan(0)
  } finally {
    goOn()
  }
  await until(async () => {
    const { items } = await client.listRuns({ state: 'started', limit: 1 })
    return items.length === 0
  }, 60_000)
  const run = await client.getRun({ runId: 'left-1' })
  expect(run).toMatchObject({ state: 'failed', failure: { code: 'crashed' } })
})

test('F173 a result that comes when its session has been deleted breaks nothing', async () => {
  const { client, lines } = await start()
  const { id: sessionId } = await client.createSession({})
  const command =
    'echo x > begun; until [ -e go ]; do sleep 0.05; done; echo x > late.txt'
  const shell = { tool: 'shell', args: { command } }
  await client.send({ sessionId, input: JSON.stringify([shell]) })
  await until(() => site.read('root/begun') !== '')
  await client.deleteSession({ sessionId })
  site.write('root/go', '')
  await expect(client.getSession({ sessionId })).rejects.toMatchObject({
    code: 'not-found',
  })
  const { results } = await tell(client, [write])
  expect(results).toMatchObject([{ isError: false }])
  expect(lines.filter(({ level }) => level === 'error')).toEqual([])
})

test('F183 a session that is deleted while somebody is asked makes the question void, on record', async () => {
  const { client, daemon } = await start(asking)
  const { id: sessionId } = await client.createSession({})
  await client.send({ sessionId, input: JSON.stringify([write]) })
  const { id: approvalId, shownHash } = await until(async () => {
    return (await client.listApprovals({ sessionId })).items[0]
  })
  await client.deleteSession({ sessionId })
  expect((await client.listApprovals({})).items).toEqual([])
  const answer = { approvalId, shownHash, type: 'allow' as const }
  const late = await client.answerApproval(answer).then(
    ({ type }) => type,
    (error: { code: string }) => error.code,
  )
  expect(['refused', 'not-found', 'gone', 'void']).toContain(late)
  await daemon.workspace.store.audit.flush()
  const { items } = await client.listAudit({})
  expect(JSON.stringify(items)).toContain(sessionId)
  expect(site.read('root/note.txt')).toBe('')
})

test('T54 words that look like SQL, JSON or lines of a log stay words', async () => {
  const evil = `'); DROP TABLE runs; --\\n{"level":"error","event":"forged"}\\u001b[2J`
  site.write(
    'user/evil.mjs',
    `export const run = () => ({ type: 'reject', reason: "${evil.replaceAll('"', '\\"')}" })\n`,
  )
  site.write(
    'user/hooks.yaml',
    'hooks:\n  - { name: evil, on: tool.guard, visibility: user_visible, handler: { type: module, file: ./evil.mjs } }\n',
  )
  const { client, lines, daemon } = await start()
  const calls = [write, { tool: `x'; DROP TABLE calls; --\n{}`, args: {} }]
  const { results } = await tell(client, calls)
  expect(results.map(({ isError }) => isError)).toEqual([true, true])
  await daemon.workspace.runtime.drain()
  const { items } = await client.listRuns({ hook: 'evil' })
  expect(items.length).toBeGreaterThan(0)
  expect((await client.listSessions({})).items).toHaveLength(1)
  expect(lines.filter(({ event }) => event === 'forged')).toEqual([])
  expect(JSON.stringify(results)).not.toContain('\\u001b')
  await expect(
    client.setHook({ name: "x'; DROP TABLE runs; --", isEnabled: false }),
  ).rejects.toMatchObject({ code: 'not-found' })
})
