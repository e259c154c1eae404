/** `left`: it stays in the list. `full`: nothing more is taken this time. */
export type Offered = 'taken' | 'left' | 'full'

export interface RoundsOptions<T> {
  readonly limit: number
  /** The list, without so many at its head. */
  readonly read: (limit: number, skip: number) => Promise<readonly T[]>
}

/**
 * Goes through a long list piece by piece, and then anew, so that what stays in
 * it keeps nothing from being seen that comes later.
 */
export class Rounds<T> {
  readonly #options: RoundsOptions<T>
  #skip = 0

  constructor(options: RoundsOptions<T>) {
    this.#options = options
  }

  /** The next piece. */
  async go(
    offer: (one: T) => Offered | Promise<Offered>,
  ): Promise<readonly T[]> {
    const { limit, read } = this.#options
    const piece = await read(limit, this.#skip)
    const isLast = piece.length < limit
    let left = 0
    for (const one of piece) {
      const became = await offer(one)
      if (became === 'full') {
        this.#skip += left
        return piece
      }
      if (became === 'left') left++
    }
    this.#skip = isLast ? 0 : this.#skip + left
    return piece
  }
}
