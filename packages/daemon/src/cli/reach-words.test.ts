import { resolve } from 'node:path'
import { expect, test } from 'vitest'
import { GivenOptions } from './given-options.ts'
import { reachWords } from './reach-words.ts'

test('whoever said nothing of the daemon need not say it again', () => {
  expect(reachWords(new GivenOptions({ json: true }))).toBe('')
})

test('another command reaches the same daemon, from whichever folder', () => {
  const home = new GivenOptions({ home: 'state' })
  expect(reachWords(home)).toBe(` --home ${resolve('state')}`)
  const url = 'http://127.0.0.1:4711'
  const named = new GivenOptions({ url, tokenFile: '/a/token' })
  expect(reachWords(named)).toBe(` --url ${url} --token-file /a/token`)
})

test('a path is one word of a shell, whatever is in it', () => {
  const home = new GivenOptions({ home: "/it's here" })
  expect(reachWords(home)).toBe(` --home '/it'\\''s here'`)
})
