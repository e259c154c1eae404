/** One message of an event stream, as it is written. */
export interface SseMessage {
  readonly id?: string | undefined
  /** Default: a plain message. */
  readonly event?: string | undefined
  readonly data: string
}

/** What a stream says beside its items: that it is over, or has failed. */
export const streamEnd = 'end'
export const streamError = 'error'

/** Keeps a stream open that has nothing to say. */
export const heartbeat = ':\n\n'

export function writeSse({ id, event, data }: SseMessage): string {
  const head = id === undefined || /[\0\r\n]/.test(id) ? '' : `id: ${id}\n`
  const kind = event === undefined ? '' : `event: ${event}\n`
  // JSON holds no line breaks, but other texts may.
  return `${head}${kind}data: ${data.replaceAll(/\r\n|\r|\n/g, '\ndata: ')}\n\n`
}

const maxMessageChars = 32 * 1_048_576

/** Reads an event stream, however it is cut into pieces. */
export class SseReader {
  #rest = ''
  #id: string | undefined
  #event: string | undefined
  #data: string[] = []
  #chars = 0

  /** The messages that a piece completes. */
  push(piece: string): SseMessage[] {
    // Nothing is gone through again and again while a long line comes in.
    if (!piece.includes('\n')) {
      this.#rest += piece
      this.#grow(this.#rest.length, false)
      return []
    }
    const messages: SseMessage[] = []
    const lines = (this.#rest + piece).split('\n')
    this.#rest = lines.pop() ?? ''
    this.#grow(this.#rest.length, false)
    for (const line of lines) {
      const message = this.#read(line.endsWith('\r') ? line.slice(0, -1) : line)
      if (message !== undefined) messages.push(message)
    }
    return messages
  }

  #read(line: string): SseMessage | undefined {
    if (line === '') return this.#complete()
    const colon = line.indexOf(':')
    if (colon === 0) return undefined
    const field = colon < 0 ? line : line.slice(0, colon)
    const text = colon < 0 ? '' : line.slice(colon + 1).replace(/^ /, '')
    if (field === 'data') {
      this.#grow(text.length, true)
      this.#data.push(text)
    } else if (field === 'event') this.#event = text
    else if (field === 'id' && !text.includes('\0')) this.#id = text
    return undefined
  }

  #complete(): SseMessage | undefined {
    const data = this.#data.join('\n')
    const hasData = this.#data.length > 0
    const event = this.#event
    this.#data = []
    this.#event = undefined
    this.#chars = 0
    return hasData ? { id: this.#id, event, data } : undefined
  }

  #grow(chars: number, isKept: boolean): void {
    if (this.#chars + chars > maxMessageChars) {
      throw new RangeError('A message of the stream is too large to be read.')
    }
    if (isKept) this.#chars += chars
  }
}
