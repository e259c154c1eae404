import { type ErrorCode, ProtocolError } from '@hookline/daemon/client'
import type { StreamItem } from '../../protocol.ts'
import { isAbout } from './is-about.ts'
import {
  type Attach,
  beatMs,
  type FromHub,
  type ToHub,
} from './port-messages.ts'

export interface HubParts {
  /** Everything that happens, from when `onOpen` is called. */
  readonly open: (
    token: string,
    signal: AbortSignal,
    onOpen: () => void,
  ) => AsyncIterable<StreamItem>
}

/** A browser has six connections to a daemon, and needs some for the rest. */
const maxStreams = 3
/** Who is further behind comes back by their cursor. */
const maxUnread = 5_000
/** A page that has read nothing for so long is gone, or asleep. */
const silentMs = 120_000

interface Reader {
  readonly port: MessagePort
  readonly sessionId: string | undefined
  unread: number
  readAt: number
}

/**
 * One stream for each token, however many pages read along. It knows no
 * cursors: whoever is cut off comes back by their own.
 */
export class StreamHub {
  readonly #parts: HubParts
  readonly #streams = new Map<string, SharedStream>()

  constructor(parts: HubParts) {
    this.#parts = parts
  }

  attach(port: MessagePort, { token, sessionId }: Attach): void {
    const known = this.#streams.get(token)
    if (known === undefined && this.#streams.size >= maxStreams) {
      const message = `This browser follows ${maxStreams} logins already; close the tabs of one of them.`
      post(port, { type: 'end', code: 'too-many', message })
      return
    }
    const stream = known ?? this.#start(token)
    stream.add({ port, sessionId, unread: 0, readAt: performance.now() })
  }

  #start(token: string): SharedStream {
    const stream = new SharedStream(() => {
      if (this.#streams.get(token) === stream) this.#streams.delete(token)
    })
    this.#streams.set(token, stream)
    void stream.run((signal, onOpen) => this.#parts.open(token, signal, onOpen))
    return stream
  }
}

class SharedStream {
  readonly #readers = new Set<Reader>()
  readonly #ended = new AbortController()
  readonly #onEnd: () => void
  readonly #beats: ReturnType<typeof setInterval>
  #isOpen = false

  constructor(onEnd: () => void) {
    this.#onEnd = onEnd
    this.#beats = setInterval(() => this.#beat(), beatMs)
  }

  add(reader: Reader): void {
    const { port } = reader
    this.#readers.add(reader)
    port.onmessage = ({ data }: MessageEvent<ToHub>) => {
      if (data === 'leave') return this.#drop(reader)
      reader.unread--
      reader.readAt = performance.now()
    }
    if (this.#isOpen) this.#send(reader, { type: 'open' })
  }

  async run(
    open: (
      signal: AbortSignal,
      onOpen: () => void,
    ) => AsyncIterable<StreamItem>,
  ): Promise<void> {
    const onOpen = () => {
      this.#isOpen = true
      for (const reader of this.#readers) this.#send(reader, { type: 'open' })
    }
    try {
      for await (const item of open(this.#ended.signal, onOpen)) {
        for (const reader of this.#readers) {
          const { sessionId } = reader
          if (sessionId === undefined || isAbout(item, sessionId)) {
            this.#send(reader, { type: 'item', item })
          }
        }
      }
      this.#end('unavailable', 'The stream of events is over.')
    } catch (error) {
      const { message } = Object(error)
      const code = error instanceof ProtocolError ? error.code : 'internal'
      this.#end(code, String(message))
    }
  }

  #send(reader: Reader, message: FromHub): void {
    post(reader.port, message)
    if (++reader.unread <= maxUnread) return
    const slow = 'This page was too slow for what happens.'
    post(reader.port, { type: 'end', code: 'too-slow', message: slow })
    this.#drop(reader)
  }

  #beat(): void {
    const oldest = performance.now() - silentMs
    for (const reader of this.#readers) {
      if (reader.readAt >= oldest) this.#send(reader, { type: 'beat' })
      else {
        const message = 'Nothing was heard of this page for too long.'
        post(reader.port, { type: 'end', code: 'too-slow', message })
        this.#drop(reader)
      }
    }
  }

  #drop(reader: Reader): void {
    this.#readers.delete(reader)
    if (this.#readers.size === 0) this.#end('unavailable', '')
  }

  #end(code: ErrorCode, message: string): void {
    clearInterval(this.#beats)
    this.#onEnd()
    this.#ended.abort()
    for (const { port } of this.#readers) {
      post(port, { type: 'end', code, message })
    }
    this.#readers.clear()
  }
}

function post(port: MessagePort, message: FromHub): void {
  port.postMessage(message)
}
