import type { State } from 'hookline'
import {
  type Amount,
  type Book,
  type EndedCall,
  type Reservation,
  settle,
} from './book.ts'
import type { Shelf } from './claims.ts'

/** Settles a call wherever it has something reserved. */
export async function settleAll(
  state: State,
  shelves: readonly Shelf[],
  call: EndedCall,
  use: (reserved: Reservation) => Amount,
): Promise<void> {
  for (const { cell } of shelves) {
    await state.update(cell, (book) => settle(book, call, use))
  }
}

/** Settles what a turn that has ended left reserved. */
export async function closeTurn(
  state: State,
  shelves: readonly Shelf[],
  prefix: string,
  use: (reserved: Reservation) => Amount,
): Promise<void> {
  const isLeft = ({ moment }: Reservation) => moment.startsWith(prefix)
  for (const { cell } of shelves) {
    // Most turns leave nothing, and to look costs less than to write.
    if (leftIn(await state.get(cell), isLeft).length === 0) continue
    await state.update(cell, (book) =>
      leftIn(book, isLeft).reduce((now, one) => settle(now, one, use), book),
    )
  }
}

/** Each once, though several accounts have it. */
function leftIn(
  book: Book,
  isLeft: (one: Reservation) => boolean,
): readonly Reservation[] {
  const open = Object.values(book).flatMap((account) => account.open)
  return [...new Map(open.filter(isLeft).map((one) => [one.run, one])).values()]
}
