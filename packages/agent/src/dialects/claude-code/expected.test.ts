import { compileTable, createEngine, type Outcome, type Point } from 'hookline'
import {
  type JsonObject,
  notice,
  type PointName,
  points,
  promptContext,
} from 'hookline/lifecycle'
import { afterAll, describe, expect, test } from 'vitest'
import type { Expectation, Expected, Said } from '../expectation.ts'
import { scope, special, usual } from '../fixtures/inputs.ts'
import { claudeCode } from './claude-code.ts'
import { expectations, neverFiring } from './expected/index.ts'
import { dialectBench, settingsWith } from './fixtures/dialect-bench.ts'

const bench = dialectBench()
afterAll(() => bench.end())

/** A real script that does what is said. */
function scriptFor({
  exit = 0,
  stdout = '',
  stderr = '',
  hangs,
}: Said): string {
  const print = (text: string, to: string) =>
    text === '' ? [] : [`printf '%s' ${quoted(text)} ${to}`]
  const lines = [
    'cat >/dev/null',
    ...print(stdout, ''),
    ...print(stderr, '>&2'),
    ...(hangs ? ['sleep 60'] : []),
    `exit ${exit}`,
  ]
  return lines.join('\n')
}

function quoted(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`
}

interface Found {
  readonly outcome: Outcome
  readonly input: unknown
  readonly isApproved: boolean
}

async function outcomeOf(
  event: string,
  [, said, , more = {}]: Expectation,
  isStrict: boolean,
): Promise<Found> {
  const point = more.point ?? claudeCode.events[event]?.[0] ?? ''
  const entry = {
    type: 'command',
    command: scriptFor(said),
    ...(said.hangs && { timeout: 0.2 }),
    ...more.entry,
  }
  const hooks = await bench.hooks(settingsWith(event, entry), { isStrict })
  const engine = createEngine(compileTable(hooks))
  const input = inputFor(event, point)
  const asked = points[point as PointName] as Point
  const first = await engine.run(asked, input, { scope })
  if (event !== 'PreToolUse')
    return { outcome: first, input, isApproved: false }
  // What a call comes to shows at the guard, and when a person is asked.
  const { call, questions, id } = usual['permission.request']
  const { args } = first.value as { args: JsonObject }
  const sealed = { ...call, args }
  const guarded = await engine.run(points['tool.guard'], sealed, { scope })
  const isAsked = first.type === 'proceed' && guarded.type === 'ask'
  const outcome = isAsked
    ? ({ ...first, ...pickAsk(guarded), records: first.records } as Outcome)
    : first
  const question = { id, questions, call: sealed }
  const request = points['permission.request']
  const answer = await engine.run(request, question, { scope })
  return { outcome, input, isApproved: answer.type === 'respond' }
}

function pickAsk(guarded: Outcome): object {
  return guarded.type === 'ask'
    ? { type: 'ask', questions: guarded.questions }
    : {}
}

function inputFor(event: string, point: string): unknown {
  if (event === 'PostToolUseFailure') return special.failure
  return usual[point as keyof typeof usual]
}

function check(
  { outcome, input, isApproved }: Found,
  expected: Expected,
  event: string,
): void {
  const { type, says = '', value, output, context, notice: told } = expected
  expect(outcome.type).toBe(type)
  expect(wordsOf(outcome)).toContain(says)
  if (type === 'reject') expect(wordsOf(outcome)).not.toBe('')
  if (type !== 'reject' && type !== 'endTurn') {
    const before = subjectOf(input, event)
    expect(subjectOf(outcome.value, event)).toEqual(value ?? before)
  }
  if (output) expect(Object(outcome).output).toMatchObject(output)
  const contexts = outcome.contributions.of(promptContext)
  expect(contexts.map((one) => one.value.content).join('\n')).toContain(
    context ?? '',
  )
  if (context === undefined) expect(contexts).toEqual([])
  const notices = outcome.contributions
    .of(notice)
    .map((one) => one.value.message)
  expect(notices.join('\n')).toContain(told ?? '')
  const codes = outcome.records.flatMap(({ diagnostics }) =>
    diagnostics.map(({ code }) => code),
  )
  if (expected.diagnostic) expect(codes).toContain(expected.diagnostic)
  else {
    const odd = [
      'failed-open',
      'accidental-exit',
      'sloppy-output',
      'not-honoured',
    ]
    expect(codes.filter((code) => odd.includes(code))).toEqual([])
  }
  expect(isApproved).toBe(expected.approves ?? false)
}

function wordsOf(outcome: Outcome): string {
  if (outcome.type === 'reject' || outcome.type === 'endTurn') {
    return outcome.reason
  }
  if (outcome.type === 'keepGoing') return outcome.feedback
  if (outcome.type !== 'ask') return ''
  return outcome.questions.map(({ question }) => question).join('\n')
}

function subjectOf(value: unknown, event: string): unknown {
  const { args, result } = value as { args?: unknown; result?: unknown }
  return event === 'PreToolUse' ? args : result
}

for (const [event, cases] of Object.entries(expectations)) {
  describe(event, () => {
    for (const one of cases) {
      const [when, , expected, more = {}] = one
      test(`${when}: ${expected.type}`, async () => {
        check(await outcomeOf(event, one, false), expected, event)
      })
      if (more.strict === undefined) continue
      const { strict } = more
      test(`${when}, strict: ${strict.type}`, async () => {
        const closed = { diagnostic: 'failed-closed', ...strict }
        check(await outcomeOf(event, one, true), closed, event)
      })
    }
  })
}

test('every event is either in the table or never fires', () => {
  const all = Object.keys(claudeCode.events)
  expect([...Object.keys(expectations), ...neverFiring].sort()).toEqual(
    all.sort(),
  )
  const firing = all.filter((event) => claudeCode.events[event]?.length)
  expect(firing.sort()).toEqual(Object.keys(expectations).sort())
})
