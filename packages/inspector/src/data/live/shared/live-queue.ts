import { ProtocolError } from '@hookline/daemon/client'
import type { StreamItem } from '../../protocol.ts'
import {
  type Attach,
  beatMs,
  type FromHub,
  type ToHub,
} from './port-messages.ts'
import { attachPort, forgetWorker } from './shared-worker.ts'

/**
 * What happens, from when `opened` settles on. It is read by whoever reads for
 * all tabs of this browser, and kept here until it is taken.
 */
export class LiveQueue {
  /** From here on nothing is missed. */
  readonly opened: Promise<void>
  readonly #port: MessagePort
  readonly #items: StreamItem[] = []
  readonly #closed = new AbortController()
  #error: ProtocolError | undefined
  #isOpen = false
  #isHeard = true
  #wake: () => void = () => undefined

  constructor(attach: Attach) {
    const { signal } = this.#closed
    this.#port = attachPort(attach, {
      signal,
      onBroken: () => this.#cut('unavailable', 'The stream is not shared.'),
    })
    this.#port.onmessage = ({ data }) => this.#hear(data)
    // A worker may die with the process of another tab, and tells nobody.
    const watchdog = setInterval(() => this.#check(), 3 * beatMs)
    signal.addEventListener('abort', () => clearInterval(watchdog))
    // A tab that is closed says so.
    const leave = () => this.#say('leave')
    window.addEventListener('pagehide', leave, { signal })
    window.addEventListener('pageshow', (event) => this.#return(event), {
      signal,
    })
    this.opened = this.#whenOpen()
    // Whoever gives up before has no use for it.
    this.opened.catch(() => undefined)
  }

  /** The next one; undefined: it was closed. Throws where it was cut off. */
  async next(): Promise<StreamItem | undefined> {
    for (;;) {
      if (this.#closed.signal.aborted) return undefined
      const item = this.#items.shift()
      if (item !== undefined) {
        this.#say('read')
        return item
      }
      if (this.#error !== undefined) throw this.#error
      await this.#more()
    }
  }

  close(): void {
    this.#say('leave')
    this.#closed.abort()
    this.#port.close()
    this.#wake()
  }

  async #whenOpen(): Promise<void> {
    while (!this.#isOpen && !this.#closed.signal.aborted) {
      if (this.#error !== undefined) throw this.#error
      await this.#more()
    }
  }

  #more(): Promise<void> {
    return new Promise((resolve) => {
      this.#wake = resolve
    })
  }

  #hear(message: FromHub): void {
    this.#isHeard = true
    if (message.type === 'end') this.#cut(message.code, message.message)
    else if (message.type === 'item') this.#items.push(message.item)
    else this.#say('read')
    if (message.type === 'open') this.#isOpen = true
    this.#wake()
  }

  #check(): void {
    if (!this.#isHeard) {
      forgetWorker()
      this.#cut('unavailable', 'Whoever reads the stream has gone.')
    }
    this.#isHeard = false
  }

  /** The page was kept as it was while somebody was elsewhere. */
  #return({ persisted }: PageTransitionEvent): void {
    if (persisted) this.#cut('unavailable', 'The page was left.')
  }

  #cut(code: ProtocolError['code'], message: string): void {
    this.#error ??= new ProtocolError(code, message)
    this.#wake()
  }

  #say(message: ToHub): void {
    this.#port.postMessage(message)
  }
}
