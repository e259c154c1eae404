const maxChunks = 8
const maxChars = 500

type Send = (seq: number, stream: string, text: string) => void

/**
 * Takes what code of a thread prints, call by call: the first few pieces are
 * told at once, so that they are known even if the call never ends.
 */
export function createOutput(send: Send) {
  const counts = new Map<number, number>()
  return {
    print(seq: number, stream: string, chunk: unknown): void {
      const count = (counts.get(seq) ?? 0) + 1
      counts.set(seq, count)
      if (count > maxChunks + 1) return
      if (count > maxChunks) {
        send(seq, stream, 'There is more, which is left out.')
        return
      }
      const text =
        chunk instanceof Uint8Array
          ? Buffer.from(chunk.subarray(0, maxChars)).toString()
          : String(chunk)
      send(seq, stream, text.slice(0, maxChars).trimEnd())
    },
    forget(seq: number): void {
      counts.delete(seq)
    },
  }
}
