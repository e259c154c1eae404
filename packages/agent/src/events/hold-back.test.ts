import fc from 'fast-check'
import { compileTable, defineHook, type HoldBack, proceed } from 'hookline'
import { llmPostCall, turnOutput } from 'hookline/lifecycle'
import { describe, expect, test } from 'vitest'
import {
  type Holding,
  holdingOf,
  joinHolding,
  releasable,
} from './hold-back.ts'

const free: Holding = {
  isAll: false,
  isSentence: false,
  window: 0,
  scans: [],
}
const sentence: Holding = { ...free, isSentence: true }

function out(text: string, holding: Holding): string {
  const growing = { before: '', held: text, isWhole: false }
  return text.slice(0, releasable(growing, holding))
}

test('nothing goes out of what is held back as a whole', () => {
  expect(out('Hello. World.\n', { ...free, isAll: true })).toBe('')
})

test('all goes out of what nobody holds back', () => {
  expect(out('Hello. Wor', free)).toBe('Hello. Wor')
})

test.each([
  ['Hello', ''],
  ['Hello.', ''],
  ['Hello. ', 'Hello. '],
  ['Hello. World', 'Hello. '],
  ['Pi is 3.14 or', ''],
  ['"Really?" he', '"Really?" '],
  ['One line\nand', 'One line\n'],
  ['你好。世界', '你好。'],
  ['No! Yes… So', 'No! Yes… '],
])('of %j the sentences that are complete go out: %j', (text, released) => {
  expect(out(text, sentence)).toBe(released)
})

describe('a window', () => {
  test.each([
    ['Hello', 2, 'Hel'],
    ['Hello', 5, ''],
    ['Hi', 5, ''],
    ['a\u{1f600}b', 1, 'a\u{1f600}'],
    ['a\u{1f600}b', 2, 'a'],
    ['a\u{1f600}', 1, 'a'],
  ])(
    'of %j with the newest %i held back leaves %j',
    (text, window, released) => {
      expect(out(text, { ...free, window })).toBe(released)
    },
  )

  test('holds back whole code points, and exactly as many', () => {
    const anyText = fc.string({ unit: 'binary' })
    const property = fc.property(anyText, fc.nat(9), (text, window) => {
      const points = Array.from(text)
      const rest = points.slice(0, Math.max(0, points.length - window))
      expect(out(text, { ...free, window })).toBe(rest.join(''))
    })
    fc.assert(property)
  })
})

test('half a pair of code units stays until the other half is there', () => {
  expect(out('a\ud83d', free)).toBe('a')
  expect(out('a\ud83d\ude00', free)).toBe('a\ud83d\ude00')
})

test('of two holds, what either keeps back stays', () => {
  const both = joinHolding(sentence, { ...free, window: 3 })
  expect(out('One. Two. ', both)).toBe('One. Tw')
  expect(out('One. Two', both)).toBe('One. ')
  const one = joinHolding(both, { ...free, isAll: true })
  expect(out('One. Two. ', one)).toBe('')
})

describe('who looks at the text', () => {
  const scanning = (...scans: Holding['scans']): Holding => ({ ...free, scans })

  test('says how much of it may go out, and the most careful counts', () => {
    expect(
      out(
        'abcdef',
        scanning(() => 4),
      ),
    ).toBe('abcd')
    expect(
      out(
        'abcdef',
        scanning(
          () => 4,
          () => 2,
          () => 9,
        ),
      ),
    ).toBe('ab')
    expect(out('abcdef', { ...scanning(() => 4), window: 5 })).toBe('a')
    expect(
      out(
        'a\u{1f600}b',
        scanning(() => 2),
      ),
    ).toBe('a')
  })

  test('is told what has gone out, and whether anything follows', () => {
    const seen: unknown[] = []
    const scan = (...given: unknown[]) => {
      seen.push(given)
      return 5
    }
    const growing = { before: 'abc', held: 'def', isWhole: true }
    expect(releasable(growing, scanning(scan))).toBe(2)
    expect(seen).toEqual([['abcdef', 3, true]])
  })

  test.each([
    ['throws', () => JSON.parse('{')],
    ['says what is no number', () => Number.NaN],
    ['goes back', () => -1],
  ])('holds back all if it %s', (_, scan) => {
    expect(out('abcdef', scanning(scan))).toBe('')
  })
})

type Gate = { readonly holdBack?: HoldBack; readonly mode?: 'evaluate' }

function gateAt(on: typeof llmPostCall | typeof turnOutput, gate: Gate = {}) {
  const name = `gate:${JSON.stringify(gate).replaceAll(/[^\w:]/g, '')}`
  return defineHook({ name, on, ...gate, run: () => proceed })
}

describe('of a table', () => {
  test('F140 a gate that declares nothing holds back all', () => {
    const table = compileTable([gateAt(llmPostCall)])
    expect(holdingOf(table).reply.isAll).toBe(true)
    expect(holdingOf(table).output).toEqual(free)
  })

  test('F140 the strictest of several gates holds', () => {
    const table = compileTable([
      gateAt(turnOutput, { holdBack: 'none' }),
      gateAt(turnOutput, { holdBack: { window: 4 } }),
      gateAt(turnOutput, { holdBack: { window: 9 } }),
      gateAt(turnOutput, { holdBack: 'sentence' }),
    ])
    const strictest = { ...free, isSentence: true, window: 9 }
    expect(holdingOf(table).output).toEqual(strictest)
  })

  test('what only evaluates holds nothing back', () => {
    const table = compileTable([gateAt(llmPostCall, { mode: 'evaluate' })])
    expect(holdingOf(table).reply).toEqual(free)
  })

  test('what only observes holds nothing back', () => {
    const observer = defineHook({
      name: 'observer',
      on: llmPostCall,
      execution: 'record',
      run: () => {},
    })
    expect(holdingOf(compileTable([observer])).reply).toEqual(free)
  })

  test('a gate that is disabled holds nothing back', () => {
    const gate = { ...gateAt(llmPostCall), disabled: true }
    expect(holdingOf(compileTable([gate])).reply).toEqual(free)
  })
})
