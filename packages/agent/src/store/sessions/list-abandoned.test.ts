import { beforeEach, describe, expect, test } from 'vitest'
import { questionOf, scopeOf } from '../approvals/fixtures/approval-bench.ts'
import { createStoredApprovals } from '../approvals/index.ts'
import type { Database } from '../database.ts'
import { dropDeadWorkers } from '../dead-workers.ts'
import { startChild } from '../fixtures/child.ts'
import { forEachDatabase } from '../fixtures/databases.ts'
import { openKitStore } from '../fixtures/open-kit-store.ts'
import { shareDatabase } from '../runs/fixtures/share-database.ts'
import type { AbandonInput } from './fixtures/abandon-program.ts'
import {
  callEnd,
  callSeal,
  callWait,
  infoOf,
  stepOpen,
  turnEnd,
  turnStart,
} from './fixtures/entries.ts'
import { openProcess, type TestProcess } from './fixtures/open-process.ts'
import { listAbandoned } from './list-abandoned.ts'

const program = new URL('./fixtures/abandon-program.ts', import.meta.url)
const started = Date.UTC(2030, 0, 1)
/** Nobody here waits for its end: it only has to be longer than the test. */
const leaseMs = 600_000

forEachDatabase((kit) => {
  const empty = shareDatabase(kit)
  const openStores = openKitStore(kit)
  let database: Database
  let one: TestProcess
  let other: TestProcess

  describe('by the time of the database', () => {
    beforeEach(async () => {
      database = await empty()
      await kit.setNow(database, started)
      one = await openProcess(database, 'w1')
      other = await openProcess(database, 'w2')
    })

    /** A session of the first process, with a turn. */
    async function begin(id: string): Promise<string> {
      await one.store.create(infoOf(id))
      const turnId = `turn-${id}`
      await one.store.append(id, [turnStart(turnId, 1), stepOpen(turnId, 1)])
      await kit.advance(database, 1)
      return turnId
    }

    async function listed(limit?: number) {
      const turns = await listAbandoned(other.parts, limit)
      return turns.map(({ sessionId, isWaiting }) =>
        isWaiting ? `${sessionId} waits` : sessionId,
      )
    }

    /** Puts a question and leaves, as a runtime does that is closed. */
    async function ask(sessionId: string, turnId: string) {
      const approvals = createStoredApprovals(one.parts, { expiresMs: 60_000 })
      const scope = { ...scopeOf(), sessionId, turnId }
      const question = questionOf(scope)
      const wait = { type: 'call-wait', turnId, question } as const
      await one.store.append(sessionId, [wait])
      const { signal } = new AbortController()
      const asked = approvals.ask(question, { scope, signal }).catch(() => {})
      await expect.poll(() => approvals.get(question.id)).toBeDefined()
      await approvals.close()
      await asked
      return question.id
    }

    const setState = async (id: string, state: string) => {
      const sql = 'UPDATE approvals SET state = ? WHERE id = ?'
      const statements = [{ sql, values: [state, id], expects: 1 }]
      await database.write({ name: 'test.state', statements })
    }

    test('turns are not abandoned while their process has its lease', async () => {
      await begin('a')
      await kit.advance(database, 14_998)
      expect(await listed()).toEqual([])
      await kit.advance(database, 1)
      expect(await listAbandoned(other.parts, 10)).toEqual([
        {
          sessionId: 'a',
          turnId: 'turn-a',
          agent: 'main',
          isWaiting: false,
          tools: [],
        },
      ])
    })

    test('F169 what the hosts think that it is late does not count', async () => {
      await begin('a')
      for (const hours of [-2, 2]) {
        other.clock.setWall(started + hours * 3_600_000)
        expect(await listed()).toEqual([])
      }
    })

    test('F166 whoever takes the session has it; what it ends is over', async () => {
      await begin('a')
      await begin('b')
      await kit.advance(database, 15_000)
      expect(await listed()).toEqual(['a', 'b'])
      expect(await listed(1)).toEqual(['a'])
      await other.lease.renew()
      await other.store.load('a')
      expect(await listed()).toEqual(['b'])
      await other.store.append('a', [turnEnd('turn-a')])
      await other.store.release('a')
      expect(await listed()).toEqual(['b'])
      await other.store.load('b')
      await other.store.append('b', [{ type: 'session-end', reason: 'closed' }])
      await other.store.release('b')
      expect(await listed()).toEqual([])
    })

    test('a session that was let go in the middle of a turn is for whoever comes', async () => {
      await begin('a')
      await one.store.release('a')
      expect(await listed()).toEqual(['a'])
    })

    test('what a sub-agent was doing is not gone on with by itself', async () => {
      await one.store.create(infoOf('child'))
      const start = { ...turnStart('t', 1), origin: 'subagent' } as const
      await one.store.append('child', [start])
      await one.store.release('child')
      expect(await listed()).toEqual([])
    })

    test('turns that only wait for an answer come last, as long as it can be given', async () => {
      const turnId = await begin('asks')
      await begin('works')
      const question = await ask('asks', turnId)
      await Promise.all([one.store.release('asks'), one.store.release('works')])
      expect(await listed()).toEqual(['works', 'asks waits'])
      await setState(question, 'approved')
      expect(await listed()).toEqual(['asks', 'works'])
      await setState(question, 'pending')
      await kit.advance(database, 60_000)
      expect(await listed()).toEqual(['asks', 'works'])
    })

    test('a turn with another open call does not only wait', async () => {
      const turnId = await begin('a')
      await ask('a', turnId)
      await one.store.append('a', [callSeal(turnId, 'c2')])
      await one.store.release('a')
      expect(await listed()).toEqual(['a'])
      await other.store.load('a')
      await other.store.append('a', [callEnd(turnId, 'c2')])
      await other.store.release('a')
      expect(await listed()).toEqual(['a waits'])
    })

    test('a call whose question was never put does not wait for an answer', async () => {
      const turnId = await begin('a')
      await one.store.append('a', [callWait(turnId, 'c1')])
      await one.store.release('a')
      expect(await listed()).toEqual(['a'])
    })

    test('a limit that is none is refused', async () => {
      for (const limit of [0, -1, 1.5, 1_001]) {
        const listing = listAbandoned(other.parts, limit)
        await expect(listing).rejects.toMatchObject({ code: 'invalid-options' })
      }
    })
  })

  test('F166 the turn of a process that was killed is listed when its lease is over, or as soon as it is seen to be gone', async () => {
    const store = await openStores({ lease: { leaseMs: 4 * leaseMs } })
    const place = kit.placeOf(store.database)
    const where =
      place.dialect === 'sqlite'
        ? { file: place.file }
        : { url: place.url, schema: place.schema }
    const start = (sessionId: string, isElsewhere: boolean) => {
      const about = { database: where, sessionId, leaseMs }
      const input: AbandonInput = { ...about, isElsewhere }
      return startChild(program, input)
    }
    const children = [start('near', false), start('far', true)]
    await Promise.all(children.map((child) => child.printed(1)))
    for (const { lines } of children) expect(lines).toEqual(['working'])
    const listed = async () =>
      (await listAbandoned(store.parts)).map(({ sessionId }) => sessionId)
    expect(await listed()).toEqual([])
    for (const child of children) child.process.kill('SIGKILL')
    await Promise.all(children.map(({ ended }) => ended))
    expect(await dropDeadWorkers(store.parts)).toBe(1)
    expect(await listed()).toContain('near')
    expect(await listed()).not.toContain('far')
    await kit.setNow(store.database, Date.now() + leaseMs)
    expect((await listed()).toSorted()).toEqual(['far', 'near'])
    expect(await store.sessions.load('far')).toMatchObject({
      openTurn: { start: { turnId: 'turn-far' } },
    })
    expect(await listed()).toEqual(['near'])
  }, 120_000)
})
