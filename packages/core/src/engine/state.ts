export type MaybePromise<T> = T | Promise<T>

/** A typed place for one value that hooks share, within a named scope. */
export interface Cell<T> {
  readonly name: string
  /** For example turn, session, tree or agent; `global`: one for all. */
  readonly scope: string
  readonly initial: () => T
  readonly maxChars: number
}

/** Shared state as a hook sees it. A shared store answers with promises. */
export interface State {
  get<T>(cell: Cell<T>): MaybePromise<T>
  /** Changes the value atomically; `change` must be synchronous and pure. */
  update<T>(cell: Cell<T>, change: (value: T) => T): MaybePromise<T>
}
