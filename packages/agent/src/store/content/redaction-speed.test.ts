import { expect, test } from 'vitest'
import {
  growthOf,
  linear,
  timeRatio,
} from '../../../../core/fixtures/time-ratio.ts'
import { createRedactor } from './create-redactor.ts'

const secrets = Array.from(
  { length: 20 },
  (_, at) => `told-secret-${at}-${'x1y2z3'.repeat(5)}`,
)
const redactor = createRedactor({ secrets })

const repeated = (part: string, length: number) =>
  part.repeat(Math.ceil(length / part.length))

const mostPasses = 60

/** Each character is looked at once, and no more. */
function passOver(text: string): number {
  let sum = 0
  for (let at = 0; at < text.length; at++) {
    sum = (sum * 31 + text.charCodeAt(at)) | 0
  }
  return sum
}

test.each([
  ['prose', 'The fox said: run the tests; then commit, and tell me more.\n'],
  ['JSON', '{"id":17,"path":"/a/b.ts","status":"ok","tags":["a","b"]},'],
  ['code', 'const { point, hook } = find(table, (one) => one.name === name)\n'],
])(
  'F212 10 KB of %s take as long as some passes over them',
  async (_, part) => {
    const text = repeated(part, 10_240)
    // Not one text again and again, of which an engine remembers things.
    const texts = Array.from({ length: 50 }, (_, at) => `${at} ${text}`)
    const ratio = await timeRatio(
      () => texts.map((one) => redactor.text(one)),
      () => texts.map(passOver),
      mostPasses,
    )
    expect(ratio).toBeLessThanOrEqual(mostPasses)
  },
)

const parts = [
  ...['a', '=', ':', '"', "'", '\\', '\\"', '-', '--', '@', '.', '[', '{'],
  ...['a=', 'a:', 'password=', 'password="', 'password=\'\\"', 'token:'],
  ...['"password:', 'password:\n', 'secret:[', 'secret:\\', '--a ', '--token '],
  ...['cookie: ', 'Bearer ', 'Bearer a', 'Basic ', 'Basic a', ' -u ', ' -u a:'],
  ...[
    'eyJ',
    'eyJa.',
    'eyJaaaaaaaa.',
    'eyJaaaaaaaa.eyJaaaaaaaa.',
    'sk-',
    'ask-',
  ],
  ...['ghp_', 'AKIA', 'AIza', 'xoxb-', 'xox', 'SG.', '://', '://a', '://a@'],
  ...['-----BEGIN ', '-----BEGIN PRIVATE KEY', '-----END ', '-----'],
  ...['told-secret-1', 'told-secret-1-x1y2', '\n', '\u202e', '\ud800', '  '],
]

test.each(parts)('F212 T59 200 KB of %j take linear time', async (part) => {
  const growth = await growthOf(200_000, (length) =>
    redactor.text(repeated(part, length)),
  )
  expect(growth).toBeLessThan(linear)
})

test('F212 T59 so do 200 KB of names that are all different', async () => {
  const growth = await growthOf(20_000, (count) => {
    const names = Array.from({ length: count }, (_, at) => `name${at}d=`)
    redactor.text(names.join(''))
  })
  expect(growth).toBeLessThan(linear)
})

test('F212 T59 and data of 20 000 keys', async () => {
  const growth = await growthOf(20_000, (count) => {
    const entries = Array.from({ length: count }, (_, at) => [`k${at}`, 'eyJ'])
    redactor.data(Object.fromEntries(entries))
  })
  expect(growth).toBeLessThan(linear)
})
