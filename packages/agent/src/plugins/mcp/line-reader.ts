const newline = 10

export interface LineReaderParts {
  readonly maxBytes: number
  readonly take: (line: string) => void
  /** Told once of a line that is too long; then it is deaf. */
  readonly overflow: () => void
}

/** Cuts bytes into lines, none longer than a maximum. */
export class LineReader {
  readonly #parts: LineReaderParts
  #pieces: Uint8Array[] = []
  #size = 0
  #isStopped = false

  constructor(parts: LineReaderParts) {
    this.#parts = parts
  }

  add(chunk: Uint8Array): void {
    let from = 0
    while (!this.#isStopped && from < chunk.length) {
      const end = chunk.indexOf(newline, from)
      this.#keep(chunk.subarray(from, end === -1 ? undefined : end))
      if (this.#isStopped || end === -1) return
      const line = Buffer.concat(this.#pieces, this.#size).toString()
      this.#pieces = []
      this.#size = 0
      if (line.trim() !== '') this.#parts.take(line)
      from = end + 1
    }
  }

  stop(): void {
    this.#isStopped = true
    this.#pieces = []
    this.#size = 0
  }

  #keep(piece: Uint8Array): void {
    this.#size += piece.length
    if (this.#size > this.#parts.maxBytes) {
      this.stop()
      this.#parts.overflow()
      return
    }
    this.#pieces.push(piece)
  }
}
