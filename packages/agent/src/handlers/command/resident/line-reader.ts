/** Cuts bytes into lines, none longer than a maximum. */
export class LineReader {
  readonly #maxBytes: number
  readonly #take: (line: Uint8Array) => void
  readonly #overflow: () => void
  #rest = Buffer.alloc(0)
  #size = 0
  #isStopped = false

  /** `overflow` is told once of a line that is too long; then it is deaf. */
  constructor({
    maxBytes,
    take,
    overflow,
  }: {
    maxBytes: number
    take: (line: Uint8Array) => void
    overflow: () => void
  }) {
    this.#maxBytes = maxBytes
    this.#take = take
    this.#overflow = overflow
  }

  add(chunk: Uint8Array): void {
    let from = 0
    while (!this.#isStopped && from < chunk.length) {
      const end = chunk.indexOf(newline, from)
      const piece = chunk.subarray(from, end === -1 ? undefined : end)
      if (!this.#keep(piece)) return
      if (end === -1) return
      const line = this.#rest.subarray(0, this.#size)
      this.#size = 0
      this.#take(line)
      from = end + 1
    }
  }

  stop(): void {
    this.#isStopped = true
  }

  #keep(piece: Uint8Array): boolean {
    const size = this.#size + piece.length
    if (size > this.#maxBytes) {
      this.stop()
      this.#overflow()
      return false
    }
    if (size > this.#rest.length) {
      const wanted = Math.max(size, this.#rest.length * 2, 4_096)
      const larger = Buffer.allocUnsafe(Math.min(wanted, this.#maxBytes))
      this.#rest.copy(larger, 0, 0, this.#size)
      this.#rest = larger
    }
    this.#rest.set(piece, this.#size)
    this.#size = size
    return true
  }
}

const newline = 10
