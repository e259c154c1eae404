import { Writable } from 'node:stream'

/** A screen, as far as a chat needs it. */
export interface Screen extends NodeJS.WritableStream {
  readonly columns?: number
  readonly rows?: number
}

/** What an editor of lines writes to: it reaches the screen when it may. */
export class EchoStream extends Writable {
  readonly isTTY = true
  readonly #screen: Screen
  readonly #isShown: () => boolean
  readonly #onResize = () => this.emit('resize')

  constructor(screen: Screen, isShown: () => boolean) {
    super()
    this.#screen = screen
    this.#isShown = isShown
    screen.on('resize', this.#onResize)
  }

  // A terminal that does not know its size says 0.
  get columns(): number {
    return this.#screen.columns || 80
  }

  get rows(): number {
    return this.#screen.rows || 24
  }

  override _write(
    chunk: Uint8Array | string,
    _: BufferEncoding,
    done: () => void,
  ): void {
    if (this.#isShown()) this.#screen.write(chunk)
    done()
  }

  override _destroy(error: Error | null, done: (error?: Error | null) => void) {
    this.#screen.off('resize', this.#onResize)
    done(error)
  }
}
