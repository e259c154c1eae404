import { describe, expect, test } from 'vitest'
import { growthOf, linear } from '../../../../core/fixtures/time-ratio.ts'
import { scoreOf, scoreText } from '../fixtures/labelled-cases.ts'
import { leaksOf, releasedOf, repeated } from '../fixtures/streaming.ts'
import {
  createSecretFinder,
  secretKinds,
  secretWaitingChars,
} from './find-secrets.ts'
import { secretCases } from './fixtures/secret-cases.ts'

const { find, isNamed } = createSecretFinder()
const cases = secretCases()

test('of a labelled set nearly all is found, and next to nothing else', () => {
  const score = scoreOf(find, cases)
  console.log(scoreText('secrets', score))
  expect(score.positives).toBeGreaterThanOrEqual(400)
  expect(score.nearMisses).toBeGreaterThanOrEqual(400)
  expect(score.precision, score.wrong.join('\n')).toBeGreaterThanOrEqual(0.99)
  expect(score.recall, score.missed.join('\n')).toBeGreaterThanOrEqual(0.97)
})

test('every kind is in the set, and every kind can be let pass', () => {
  const kinds = new Set(cases.flatMap(({ expected }) => expected?.kind ?? []))
  expect([...kinds].sort()).toEqual([...secretKinds])
  const none = createSecretFinder({ except: secretKinds })
  expect(cases.flatMap(({ text }) => none.find(text))).toEqual([])
})

test('names of one’s own count', () => {
  const own = createSecretFinder({ names: ['door-code'] })
  const value = 'a1B2c3D4e5F6g7H8i9'
  expect(find(`frontDoorCode=${value}`)).toEqual([])
  expect(own.find(`frontDoorCode=${value}`)).toHaveLength(1)
})

test('the parts of the hook that ships are no secrets', () => {
  expect(find('"secret-scan:arguments" has failed.')).toEqual([])
  expect(find('"secret:a1B2c3D4e5F6g7H8i9" it is.')).toHaveLength(1)
})

test('in data a name tells, too', () => {
  expect(isNamed('apiKey', 'a1B2c3D4e5F6g7H8i9')).toBe(true)
  expect(isNamed('apiKey', 'string')).toBe(false)
  expect(isNamed('title', 'a1B2c3D4e5F6g7H8i9')).toBe(false)
})

describe('of a text that streams', () => {
  test('nothing goes out that is found in the whole, wherever it is split', () => {
    expect(leaksOf(find, secretWaitingChars, cases)).toEqual([])
  })

  test('all but the end goes out if there is nothing in it', () => {
    const text = repeated('A quiet day in the office, as ever. ', 2_000)
    expect(releasedOf(find, secretWaitingChars, text)).toBeGreaterThan(1_850)
  })
})

const hostile = [
  ...[
    'a',
    '=',
    ':',
    'password=',
    'password=a1b2c3d4 ',
    'token: ',
    '--token a1 ',
  ],
  ...[
    'sk-',
    'ghp_',
    ':AA',
    '1:AA',
    'Q~',
    'a1Q~',
    'SK',
    'MTaa',
    'MT.',
    '-M',
    'eyJ',
  ],
  ...[
    '://a:b@',
    '://a:b@ ',
    ' -u a:b',
    '-----BEGIN PRIVATE KEY',
    'pin=),),',
    'pin=,',
  ],
  ...[
    'Bearer a1',
    'Basic YTpi ',
    'password="',
    'password:\n',
    'AKIA',
    'hooks.slack.com/services/',
  ],
]

test.each(hostile)('much of %j takes linear time', async (part) => {
  const growth = await growthOf(80_000, (length) =>
    find(repeated(part, length)),
  )
  expect(growth).toBeLessThan(linear)
})
