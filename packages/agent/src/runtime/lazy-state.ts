import type { Cell, MaybePromise, MemoryState, ScopeIds, State } from 'hookline'

/** Shared state as it is seen from somewhere; looked up when it is used. */
export class LazyState implements State {
  readonly #source: MemoryState
  readonly #ids: ScopeIds

  constructor(source: MemoryState, ids: ScopeIds) {
    this.#source = source
    this.#ids = ids
  }

  get<T>(cell: Cell<T>): MaybePromise<T> {
    return this.#source.at(this.#ids).get(cell)
  }

  update<T>(cell: Cell<T>, change: (value: T) => T): MaybePromise<T> {
    return this.#source.at(this.#ids).update(cell, change)
  }
}
