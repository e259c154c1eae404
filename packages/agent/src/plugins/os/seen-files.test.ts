import { expect, test } from 'vitest'
import { SeenFiles } from './seen-files.ts'

const content = Buffer.from('Hello.')

/** Whether a session still knows a file. */
function knows(seen: SeenFiles, sessionId: string, path: string): boolean {
  try {
    seen.check(sessionId, path, content)
    return true
  } catch {
    return false
  }
}

test('of very many sessions those that were at work last are known; the others have to read again', () => {
  const seen = new SeenFiles()
  const idOf = (at: number) => `session-${at}`
  for (let at = 0; at < 1_000; at++) seen.note(idOf(at), '/a', content)
  // Whoever works goes on being known, however long ago it began.
  seen.check(idOf(0), '/a', content)
  for (let at = 1_000; at < 1_010; at++) seen.note(idOf(at), '/a', content)
  const known = Array.from({ length: 1_010 }, (_, at) => at).filter((at) =>
    knows(seen, idOf(at), '/a'),
  )
  expect(known).toHaveLength(1_000)
  expect(known.slice(0, 2)).toEqual([0, 11])
  expect(() => seen.check(idOf(1), '/a', content)).toThrow('Read "/a" first')
})

test('of very many files in all the sessions that worked longest ago are forgotten', () => {
  const seen = new SeenFiles()
  for (let session = 0; session < 12; session++) {
    for (let file = 0; file < 10_000; file++) {
      seen.note(`${session}`, `/${file}`, content)
    }
  }
  const known = Array.from({ length: 12 }, (_, at) => `${at}`).filter((id) =>
    knows(seen, id, '/9999'),
  )
  expect(known).toEqual(['2', '3', '4', '5', '6', '7', '8', '9', '10', '11'])
})

test('of very many files of one session those that were seen last are known', () => {
  const seen = new SeenFiles()
  for (let file = 0; file < 10_001; file++) seen.note('a', `/${file}`, content)
  expect(knows(seen, 'a', '/0')).toBe(false)
  expect(knows(seen, 'a', '/1')).toBe(true)
  seen.forget('a')
  expect(knows(seen, 'a', '/1')).toBe(false)
})
