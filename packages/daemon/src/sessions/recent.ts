/**
 * The newest of what there is by a key: as many as `count`, and no more than
 * twice that. To add one costs next to nothing, for nothing is looked for that
 * could go.
 */
export class Recent<T> {
  readonly #count: number
  #newest = new Map<string, T>()
  #older: ReadonlyMap<string, T> = new Map()

  constructor(count: number) {
    this.#count = count
  }

  set(key: string, value: T): void {
    this.#newest.set(key, value)
    if (this.#newest.size < this.#count) return
    this.#older = this.#newest
    this.#newest = new Map()
  }

  get(key: string): T | undefined {
    return this.#newest.get(key) ?? this.#older.get(key)
  }
}
