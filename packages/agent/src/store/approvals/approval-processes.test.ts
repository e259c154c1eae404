import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, test } from 'vitest'
import type { Database } from '../database.ts'
import { startChild } from '../fixtures/child.ts'
import { type DatabaseKit, forEachDatabase } from '../fixtures/databases.ts'
import type { AnswerInput, AnswerLine } from './fixtures/answer-program.ts'
import {
  ann,
  approvalOf,
  type Bench,
  benchOn,
  bob,
  key,
} from './fixtures/approval-bench.ts'
import type { CallInput } from './fixtures/call-program.ts'
import { runApproved } from './fixtures/run-approved.ts'

const answerProgram = new URL('./fixtures/answer-program.ts', import.meta.url)
const callProgram = new URL('./fixtures/call-program.ts', import.meta.url)
const folder = mkdtempSync(join(tmpdir(), 'hookline-approvals-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const isLong = process.env['HOOKLINE_LONG'] === '1'
const rounds = isLong ? 200 : 40
const killsEach = isLong ? 20 : 1
const units = ['approval.ask', 'approval.answer', 'approval.use']
const moments = [
  'before-write',
  'before-commit',
  'after-commit',
  'before-notify',
]
/** How many kills there were, by where. */
const kills = new Map<string, number>()

forEachDatabase((kit) => {
  test(`F178 of two processes that answer at once one wins, ${rounds} times, and one uses it`, async () => {
    const database = await kit.open()
    const place = kit.placeOf(database)
    const bench = benchOn(database, { key, maxOpen: rounds })
    const start = (input: Pick<AnswerInput, 'by' | 'type'>) =>
      startChild(answerProgram, { place, key, ...input })
    const children = [
      start({ by: ann, type: 'allow' }),
      start({ by: bob, type: 'deny' }),
    ]
    const printed = (count: number) =>
      Promise.all(children.map((child) => child.printed(count)))
    await printed(1)
    for (let round = 1; round <= rounds; round++) {
      const question = bench.question()
      const { id, call } = question
      const { answered } = await bench.ask(question)
      const { shownHash } = await approvalOf(bench, id)
      const line: AnswerLine = { id, shownHash, seal: call.seal }
      for (const child of children) {
        child.process.stdin?.write(`${JSON.stringify(line)}\n`)
      }
      await printed(round + 1)
      const said = children.map((child) => child.lines[round] ?? '')
      const isAllowed = said[0]?.startsWith('accepted') === true
      const outcomes = said.map((one) => one.split(' ')[0] ?? '').toSorted()
      expect(outcomes, `round ${round}`).toEqual(['accepted', 'lost'])
      const uses = said.filter((one) => one.endsWith(' valid'))
      expect(uses, `round ${round}`).toHaveLength(isAllowed ? 1 : 0)
      await bench.clock.advance(1_000)
      await answered
    }
    for (const child of children) child.process.stdin?.end()
    for (const child of children) await child.ended
  }, 120_000)

  describe.each(units)('a kill -9 during %s', (unit) => {
    test.each(moments)(
      `I5 F146 F186 %s, ${killsEach} times: what was acknowledged stays, and the call runs at most once`,
      async (moment) => {
        const database = await kit.open()
        const bench = benchOn(database, { key })
        const where = `${unit}:${moment}`
        const killed = Array.from({ length: killsEach }, () =>
          killAt(where, { bench, kit, database }),
        )
        for (const { call, left, acknowledged } of await Promise.all(killed)) {
          const { question, effects } = call
          expect(left?.state).toBe(stateAfter(unit, moment))
          if (acknowledged.includes('answered')) {
            expect(['approved', 'used']).toContain(left?.state)
          }
          await runApproved(bench.parts, call)
          expect((await approvalOf(bench, question.id)).state).toBe('used')
          // Used and then killed: nobody knows, so it is not run again.
          const runs = readFileSync(effects, 'utf8')
          expect(runs).toBe(left?.state === 'used' ? '' : 'ran\n')
        }
      },
      60_000,
    )
  })
})

interface Killing {
  readonly bench: Bench
  readonly kit: DatabaseKit
  readonly database: Database
}

/** Starts a process that is killed there; what it has left behind. */
async function killAt(where: string, { bench, kit, database }: Killing) {
  const question = bench.question()
  const effects = join(folder, `${kit.name}-${question.id}`)
  writeFileSync(effects, '')
  const call = { question, scope: bench.scope, effects }
  const place = kit.placeOf(database)
  const failpoints = { [where]: { do: 'kill' } } as const
  const input: CallInput = { place, failpoints, ...call }
  const child = startChild(callProgram, input)
  const { signal, errors } = await child.ended
  expect(signal, errors).toBe('SIGKILL')
  kills.set(where, (kills.get(where) ?? 0) + 1)
  const left = await bench.approvals.get(question.id)
  return { call, left, acknowledged: child.lines }
}

function stateAfter(unit: string, moment: string): string | undefined {
  const isKept = moment === 'after-commit' || moment === 'before-notify'
  switch (unit) {
    case 'approval.ask':
      return isKept ? 'pending' : undefined
    case 'approval.answer':
      return isKept ? 'approved' : 'pending'
    default:
      return isKept ? 'used' : 'approved'
  }
}

test('every kill happened where it was meant to', () => {
  const counts = [...kills].map(([where, count]) => `${where} ${count}`)
  process.stdout.write(`Kills of approvals. ${counts.join(', ')}\n`)
  expect(kills.size).toBe(units.length * moments.length)
  for (const count of kills.values()) expect(count).toBe(2 * killsEach)
})
