import { isUtf8 } from 'node:buffer'

/**
 * Keeps the first so many bytes of a stream and, if asked to, the last ones;
 * counts the rest. Never holds more than that, however small the pieces are.
 */
export class CappedBytes {
  readonly #maxHead: number
  readonly #maxTail: number
  #head = Buffer.alloc(0)
  #tail = Buffer.alloc(0)
  #headSize = 0
  #total = 0

  constructor({ head, tail }: { head: number; tail: number }) {
    this.#maxHead = head
    this.#maxTail = tail
  }

  get total(): number {
    return this.#total
  }

  get isCut(): boolean {
    return this.#total > this.#maxHead + this.#maxTail
  }

  add(chunk: Uint8Array): void {
    const taken = Math.min(chunk.length, this.#maxHead - this.#headSize)
    if (taken > 0) this.#addHead(chunk.subarray(0, taken))
    if (taken < chunk.length) this.#addTail(chunk.subarray(taken))
    this.#total += chunk.length
  }

  /** What there is; where something is missing in the middle it says so. */
  get text(): string {
    return decoder.decode(this.#bytes())
  }

  get isInvalid(): boolean {
    return !isUtf8(this.#bytes())
  }

  #bytes(): Buffer {
    const head = this.#head.subarray(0, this.#headSize)
    const inTail = this.#total - this.#headSize
    if (inTail <= 0) return head
    if (this.#maxTail === 0) return head
    if (inTail <= this.#maxTail) {
      return Buffer.concat([head, this.#tail.subarray(0, inTail)])
    }
    const start = inTail % this.#maxTail
    const gap = `\n[${inTail - this.#maxTail} bytes are left out here]\n`
    return Buffer.concat([
      head,
      Buffer.from(gap),
      this.#tail.subarray(start),
      this.#tail.subarray(0, start),
    ])
  }

  #addHead(bytes: Uint8Array): void {
    const size = this.#headSize + bytes.length
    if (size > this.#head.length) {
      const wanted = Math.max(size, this.#head.length * 2, 4_096)
      const larger = Buffer.allocUnsafe(Math.min(wanted, this.#maxHead))
      this.#head.copy(larger, 0, 0, this.#headSize)
      this.#head = larger
    }
    this.#head.set(bytes, this.#headSize)
    this.#headSize = size
  }

  // A ring: the newest bytes are written over the oldest.
  #addTail(bytes: Uint8Array): void {
    if (this.#maxTail === 0) return
    if (this.#tail.length === 0) this.#tail = Buffer.allocUnsafe(this.#maxTail)
    const seen = Math.max(0, this.#total - this.#maxHead)
    const skipped = Math.max(0, bytes.length - this.#maxTail)
    const kept = bytes.subarray(skipped)
    const at = (seen + skipped) % this.#maxTail
    const first = kept.subarray(0, this.#maxTail - at)
    this.#tail.set(first, at)
    this.#tail.set(kept.subarray(first.length), 0)
  }
}

// Bytes that are no text become U+FFFD. A mark of the byte order stays: whoever
// reads the text drops one, and there may be two.
const decoder = new TextDecoder('utf-8', { ignoreBOM: true })
