import type { State } from 'hookline'
import {
  type Amount,
  type Reservation,
  reservedIn,
  settle,
  spend,
} from './book.ts'
import type { Shelf } from './claims.ts'

type IsMeant = (one: Reservation) => boolean
type Use = (reserved: Reservation) => Amount

/** Settles one call wherever it has something reserved. */
export async function settleCall(
  state: State,
  shelves: readonly Shelf[],
  isOfCall: IsMeant,
  use: Use,
): Promise<void> {
  for (const { cell } of shelves) {
    await state.update(cell, (book) => {
      const [reserved] = reservedIn(book, isOfCall)
      return reserved ? settle(book, reserved, use(reserved)) : book
    })
  }
}

/** Counts a call for which nothing was reserved. */
export async function spendAll(
  state: State,
  shelves: readonly Shelf[],
  spent: { readonly used: Amount; readonly now: number },
): Promise<void> {
  for (const { cell, claims } of shelves) {
    await state.update(cell, (book) => spend(book, claims, spent))
  }
}

/** Settles all that is left of something, such as a turn that has ended. */
export async function settleLeft(
  state: State,
  shelves: readonly Shelf[],
  isLeft: IsMeant,
  use: Use,
): Promise<void> {
  for (const { cell } of shelves) {
    // Mostly nothing is, and to look costs less than to write.
    if (reservedIn(await state.get(cell), isLeft).length === 0) continue
    await state.update(cell, (book) =>
      reservedIn(book, isLeft).reduce(
        (now, one) => settle(now, one, use(one)),
        book,
      ),
    )
  }
}
