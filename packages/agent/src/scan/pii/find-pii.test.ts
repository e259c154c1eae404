import { describe, expect, test } from 'vitest'
import { growthOf, linear } from '../../../../core/fixtures/time-ratio.ts'
import { readCases, scoreOf, scoreText } from '../fixtures/labelled-cases.ts'
import { leaksOf, releasedOf, repeated } from '../fixtures/streaming.ts'
import { createPiiFinder, piiKinds, piiWaitingChars } from './find-pii.ts'

const find = createPiiFinder()
const waiting = piiWaitingChars(piiKinds)
const cases = readCases(new URL('./fixtures/pii-cases.txt', import.meta.url))

test('of a labelled set nearly all is found, and next to nothing else', () => {
  const score = scoreOf(find, cases)
  console.log(scoreText('personal data', score))
  expect(score.positives).toBeGreaterThanOrEqual(400)
  expect(score.nearMisses).toBeGreaterThanOrEqual(400)
  expect(score.precision, score.wrong.join('\n')).toBeGreaterThanOrEqual(0.99)
  expect(score.recall, score.missed.join('\n')).toBeGreaterThanOrEqual(0.97)
})

test('what is found has the kind that it is', () => {
  const wrong = cases.flatMap(({ text, expected }) =>
    expected && find(text)[0]?.kind !== expected.kind ? [text] : [],
  )
  expect(wrong).toEqual([])
})

test('a kind that is not wanted stays', () => {
  const text = 'Anna <anna@example.org> from 203.0.113.7'
  expect(createPiiFinder(['ip'])(text).map(({ kind }) => kind)).toEqual(['ip'])
})

describe('of a text that streams', () => {
  test('nothing goes out that is found in the whole, wherever it is split', () => {
    expect(leaksOf(find, waiting, cases)).toEqual([])
  })

  test('all but the end goes out if there is nothing in it', () => {
    const text = repeated('A quiet day in the office, as ever. ', 2_000)
    expect(releasedOf(find, waiting, text)).toBeGreaterThan(1_750)
  })
})

const hostile = [
  ...[
    '1',
    '1 ',
    '1-',
    '12.',
    '1.1.1.',
    '@',
    'a@',
    'a@a.',
    'a@a.co,',
    '+1',
    '+',
  ],
  ...['DE12', 'DE12 ', 'a:', ':', '::1', 'A ', '1 A', '1 Aaa ', 'Aa', 'A-'],
  ...[
    'born ',
    'born 1',
    'DOB:',
    'tel ',
    'tel 0',
    '(0',
    '市',
    '市路',
    '00 ',
    '/a@',
  ],
  ...[
    'Xa-straße ',
    '12 rue de ',
    'Calle ',
    'address: ',
    '1 A Street ',
    'a.a@b',
  ],
]

test.each(hostile)('much of %j takes linear time', async (part) => {
  const growth = await growthOf(80_000, (length) =>
    find(repeated(part, length)),
  )
  expect(growth).toBeLessThan(linear)
})
