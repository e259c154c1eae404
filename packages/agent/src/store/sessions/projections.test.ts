import { beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { CallEnded, CallSealed, JournalEntry } from '../../ports/store.ts'
import type { ContentLevel } from '../content/content-level.ts'
import type { Database } from '../database.ts'
import { forEachDatabase } from '../fixtures/databases.ts'
import {
  callEnd,
  callOf,
  callSeal,
  callWait,
  commit,
  infoOf,
  said,
  stepOpen,
  turnEnd,
  turnStart,
} from './fixtures/entries.ts'
import { emptied, openProcess, rowsOf } from './fixtures/open-process.ts'

const started = Date.UTC(2030, 5, 1)

forEachDatabase((kit) => {
  let database: Database
  beforeAll(async () => {
    database = await kit.open()
  })
  beforeEach(async () => {
    await emptied(database)
    await kit.setNow(database, started)
  })

  async function write(
    entries: readonly JournalEntry[],
    content: ContentLevel = 'metadata',
  ) {
    const { store } = await openProcess(database, 'w1', { store: { content } })
    await store.create(infoOf('one'))
    for (const entry of entries) {
      await store.append('one', [entry])
      await kit.advance(database, 10)
    }
    return store
  }

  const callRow = async () => {
    const [row = {}, ...others] = await rowsOf(database, 'calls')
    expect(others).toEqual([])
    const { payload, verdicts, grant_json: grant = null, ...rest } = row
    return {
      ...rest,
      payload: JSON.parse(String(payload)),
      verdicts: JSON.parse(String(verdicts)),
      grant: grant === null ? null : JSON.parse(String(grant)),
    }
  }

  describe('a turn', () => {
    test('is running from its start, in the time of the database', async () => {
      const input = { ...turnStart('t', 3), inputId: 'm1' }
      await write([input, stepOpen('t', 2)])
      expect(await rowsOf(database, 'turns')).toMatchObject([
        {
          id: 't',
          session_id: 'one',
          number: 3,
          agent: 'main',
          input_id: 'm1',
          status: 'running',
          started_at: started,
          ended_at: null,
          steps: 2,
        },
      ])
      expect(await rowsOf(database, 'sessions')).toMatchObject([
        { turns: 3, seq: 2, updated_at: started + 10, ended: null },
      ])
    })

    test('has its outcome from its end', async () => {
      const end = turnEnd('t')
      const summary = { ...end.summary, errorPreview: 'bad\npassword=hunter2' }
      await write([
        turnStart('t', 1),
        { ...end, status: 'failed', summary },
        { type: 'session-end', reason: 'expired' },
      ])
      expect(await rowsOf(database, 'turns')).toMatchObject([
        {
          status: 'failed',
          model: 'script/one',
          started_at: started,
          ended_at: started + 10,
          elapsed_ms: 12.5,
          steps: 2,
          tool_count: 3,
          input_tokens: 10,
          output_tokens: 20,
          error: 'bad\\npassword=[redacted]',
        },
      ])
      expect(await rowsOf(database, 'sessions')).toMatchObject([
        { ended: 'expired' },
      ])
    })

    test('F203 ends no earlier than it began when a clock is set back', async () => {
      const store = await write([turnStart('t', 1), callSeal('t', 'c')])
      await kit.setNow(database, started - 7_200_000)
      await store.append('one', [callEnd('t', 'c'), turnEnd('t')])
      const [turn] = await rowsOf(database, 'turns')
      expect(turn).toMatchObject({ ended_at: started, elapsed_ms: 12.5 })
      const [call] = await rowsOf(database, 'calls')
      expect(call).toMatchObject({ ended_at: started + 10, elapsed_ms: 1.5 })
    })

    test('F203 and ends late when it is set on, while its duration stays', async () => {
      const store = await write([turnStart('t', 1)])
      await kit.setNow(database, started + 3 * 86_400_000)
      await store.append('one', [turnEnd('t')])
      const [turn] = await rowsOf(database, 'turns')
      expect(turn).toMatchObject({
        ended_at: started + 3 * 86_400_000,
        elapsed_ms: 12.5,
      })
    })

    test('F205 can be in any year', async () => {
      const store = await write([])
      for (const [number, now] of [
        Date.UTC(2038, 0, 19, 3, 14, 8),
        Date.UTC(2030, 9, 27, 1, 30),
        Date.UTC(2999, 11, 31),
      ].entries()) {
        await kit.setNow(database, now)
        await store.append('one', [turnStart(`t${number}`, number + 1)])
        const [turn] = await rowsOf(database, 'turns', 'number DESC')
        expect(turn?.['started_at']).toBe(now)
      }
    })

    test('of another session may have the same id', async () => {
      const store = await write([turnStart('t', 1), callSeal('t', 'c')])
      await store.create(infoOf('two'))
      await store.append('two', [turnStart('t', 5), callSeal('t', 'c')])
      await store.append('two', [callEnd('t', 'c'), turnEnd('t')])
      const rows = await rowsOf(database, 'turns', 'session_id')
      expect(rows.map(({ status }) => status)).toEqual(['running', 'succeeded'])
      const calls = await rowsOf(database, 'calls', 'session_id')
      expect(calls.map(({ state }) => state)).toEqual(['sealed', 'ended'])
    })
  })

  describe('a call', () => {
    test('is waiting while people are asked', async () => {
      await write([turnStart('t', 1), callWait('t', 'c')])
      expect(await callRow()).toMatchObject({
        turn_id: 't',
        call_id: 'c',
        session_id: 'one',
        tool: 'read',
        owner: 'runtime',
        safety: 'read_only',
        state: 'waiting',
        status: null,
        seal: 'seal of c',
        table_hash: null,
        verdicts: [],
        started_at: started + 10,
        payload: callOf('c'),
      })
    })

    test('is sealed with what it was judged by, and exactly as it will run', async () => {
      const approvedBy = { kind: 'hook', name: 'stand-in' } as const
      const seal: CallSealed = { ...callSeal('t', 'c'), approvedBy }
      await write([turnStart('t', 1), callWait('t', 'c'), seal])
      expect(await callRow()).toMatchObject({
        state: 'sealed',
        seal: 'seal of c',
        table_hash: 'table-hash',
        is_ungated: 0,
        approver: 'hook',
        approved_by: 'stand-in',
        verdicts: seal.verdicts,
        grant: seal.call.grant,
        started_at: started + 10,
        ended_at: null,
        payload: seal.call,
      })
    })

    test('has ended with its status, and keeps its seal and verdicts', async () => {
      const seal = { ...callSeal('t', 'c'), isUngated: true }
      await write([turnStart('t', 1), seal, callEnd('t', 'c')])
      expect(await callRow()).toMatchObject({
        state: 'ended',
        status: 'executed',
        error: null,
        seal: 'seal of c',
        is_ungated: 1,
        verdicts: seal.verdicts,
        started_at: started + 10,
        ended_at: started + 20,
        elapsed_ms: 1.5,
        payload: seal.call,
      })
    })

    test('that was never sealed has ended with what its hooks said', async () => {
      const { verdicts } = callSeal('t', 'c')
      const end = callEnd('t', 'c')
      const result = { content: [], isError: true, error: 'denied' } as const
      const denied: CallEnded = {
        ...end,
        verdicts,
        ended: { ...end.ended, status: 'denied', result },
      }
      await write([turnStart('t', 1), denied])
      expect(await callRow()).toMatchObject({
        state: 'ended',
        status: 'denied',
        error: 'denied',
        seal: null,
        grant: null,
        verdicts,
        payload: end.ended.call,
      })
    })
  })

  describe('the journal shows beside its payloads', () => {
    const entries = [
      turnStart('t', 1),
      commit(said('my password=hunter2 is fine')),
      callSeal('t', 'c'),
    ]
    const shown = async () => {
      const rows = await rowsOf(database, 'journal', 'seq')
      return rows.map(({ about }) => about && JSON.parse(String(about)))
    }

    test('names, numbers and sizes', async () => {
      await write(entries)
      expect(await shown()).toEqual([
        { turn: 1, origin: 'user', blocks: 0 },
        { roles: ['user'] },
        {
          call: 'c',
          tool: 'read',
          seal: 'seal of c',
          verdicts: 1,
          isUngated: false,
        },
      ])
      const rows = await rowsOf(database, 'journal', 'seq')
      expect(rows.map(({ type, turn_id: id, at }) => [type, id, at])).toEqual([
        ['turn-start', 't', started],
        ['step-commit', 't', started + 10],
        ['call-seal', 't', started + 20],
      ])
    })

    test('nothing, if nothing is wanted', async () => {
      await write(entries, 'none')
      expect(await shown()).toEqual([null, null, null])
    })

    test.each(['redacted', 'full'] as const)(
      'all but the secrets, at %s',
      async (level) => {
        await write(entries, level)
        expect((await shown())[1]).toEqual({
          roles: ['user'],
          content: commit(said('my password=[redacted] is fine')),
        })
      },
    )
  })
})
