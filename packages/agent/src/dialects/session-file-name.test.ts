import { expect, test } from 'vitest'
import { envFileOf } from './claude-code/environment.ts'
import { sessionFileName } from './session-file-name.ts'
import { Transcripts } from './transcript.ts'

test.each([
  ['a/b', 'a_b'],
  ['a/b', 'a:b'],
  [`${'x'.repeat(100)}1`, `${'x'.repeat(100)}2`],
  ['', 'none'],
])('two sessions have two files each: %j and %j', (one, other) => {
  const transcripts = new Transcripts('data', {})
  expect(transcripts.pathOf(one)).not.toBe(transcripts.pathOf(other))
  expect(envFileOf('data', one)).not.toBe(envFileOf('data', other))
})

test('a file of a session is called as its id where a file can be', () => {
  expect(sessionFileName('0mjuohs00e7tggc001')).toBe('0mjuohs00e7tggc001')
  expect(sessionFileName('../x')).toMatch(/^\.\._x\+[0-9a-f]{32}$/)
})
