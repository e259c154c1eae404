import { expect, test } from 'vitest'
import {
  type Book,
  changeNote,
  lastNote,
  noteIn,
  type SessionNote,
  withText,
  withTurn,
} from './book.ts'

const place = (key: string, session: string, oldest = 0) => {
  return { key, session, oldest }
}
const line = (turn: number) => ({ turn, user: `u${turn}`, agent: `a${turn}` })
const about = (session: string, at: number) => ({ session, model: 'm', at })

/** A book in which sessions had a turn each, one after the other. */
function bookOf(...sessions: readonly (readonly [string, string])[]): Book {
  return sessions.reduce<Book>(
    (book, [key, session], at) =>
      changeNote(book, place(key, session), (note) =>
        withTurn(note, line(1), about(session, at + 1)),
      ),
    [],
  )
}

test('a turn that is told twice counts once, also when it was summed up', () => {
  const once = withTurn(undefined, line(1), about('s', 1))
  const twice = withTurn(withTurn(once, line(2), about('s', 2)), line(1), {
    ...about('s', 3),
  })
  expect(twice.open.map(({ turn }) => turn)).toEqual([1, 2])
  const summed = withText(twice, 'Both.', 2)
  expect(summed).toMatchObject({ text: 'Both.', upTo: 2, open: [] })
  if (summed === undefined) throw new Error('It is gone.')
  expect(withTurn(summed, line(2), about('s', 4))).toBe(summed)
})

test('turns that came meanwhile stay open; what comes too late changes nothing', () => {
  let note: SessionNote | undefined
  for (const turn of [1, 2, 3]) note = withTurn(note, line(turn), about('s', 1))
  const summed = withText(note, 'Two.', 2)
  expect(summed?.open).toEqual([line(3)])
  expect(withText(summed, 'One.', 1)).toBe(summed)
  expect(withText(undefined, 'Gone.', 9)).toBeUndefined()
})

test('no more than ten turns wait to be summed up, the newest', () => {
  let note: SessionNote | undefined
  for (let turn = 1; turn <= 25; turn++) {
    note = withTurn(note, line(turn), about('s', 1))
  }
  expect(note?.open.map(({ turn }) => turn)).toEqual(
    Array.from({ length: 10 }, (_, at) => at + 16),
  )
})

test('of a page the newest three are kept, and of a book the newest four', () => {
  const book = bookOf(
    ...['a', 'b', 'c', 'd'].map((session) => ['k1', session] as const),
    ...['k2', 'k3', 'k4', 'k5'].map((key) => [key, 'x'] as const),
  )
  expect(book.map(({ key }) => key)).toEqual(['k5', 'k4', 'k3', 'k2'])
  const [page] = bookOf(['k', 'a'], ['k', 'b'], ['k', 'c'], ['k', 'd'])
  expect(page?.notes.map(({ session }) => session)).toEqual(['d', 'c', 'b'])
})

test('the last one is the newest of another session that is not too old', () => {
  const book = bookOf(['k', 'a'], ['k', 'b'], ['other', 'c'])
  expect(lastNote(book, place('k', 'b'))?.session).toBe('a')
  expect(lastNote(book, place('k', 'new'))?.session).toBe('b')
  expect(lastNote(book, place('k', 'b', 2))).toBeUndefined()
  expect(lastNote(book, place('none', 'b'))).toBeUndefined()
})

test('what is old is gone with the next change, and what is deleted at once', () => {
  const book = bookOf(['k', 'a'], ['old', 'b'], ['k', 'c'])
  const later = changeNote(book, place('k', 'c', 3), (note) => note)
  expect(later.flatMap(({ notes }) => notes.map((one) => one.session))).toEqual(
    ['c'],
  )
  const left = changeNote(later, place('k', 'c'), () => undefined)
  expect(left).toEqual([])
  expect(noteIn(left, place('k', 'c'))).toBeUndefined()
})
