import type { Handler, HandlerCall, HandlerReply } from '../handlers/handler.ts'
import { HandlerFailure } from '../handlers/handler-failure.ts'

/**
 * A handler that is made when it is needed, and knows how many calls it is in:
 * once no table names it, it is closed when none of them is left.
 */
export class CountedHandler implements Handler {
  readonly #make: () => Promise<Handler>
  #made: Promise<Handler> | undefined
  #calls = 0
  #isLeaving = false
  #isClosed = false
  #onGone = () => {}
  #closing: Promise<void> = Promise.resolve()

  constructor(make: () => Promise<Handler>) {
    this.#make = make
  }

  /** Throws what is wrong with its definition. */
  async prepare(): Promise<void> {
    await this.#open()
  }

  async ask(call: HandlerCall): Promise<HandlerReply> {
    this.#calls++
    try {
      const handler = await this.#open()
      return await handler.ask(call)
    } finally {
      this.#calls--
      if (this.#isLeaving && this.#calls === 0) this.#letGo()
    }
  }

  /**
   * The table that named it is no longer in place. A dispatch that began with
   * that one may still ask it, and then it is there once more.
   */
  async leave(onGone: () => void): Promise<void> {
    this.#isLeaving = true
    this.#onGone = onGone
    if (this.#calls > 0) return
    this.#letGo()
    await this.#closing
  }

  /** Ends it, also under its calls. */
  async close(): Promise<void> {
    this.#isClosed = true
    this.#letGo()
    await this.#closing
  }

  async #open(): Promise<Handler> {
    if (this.#isClosed) {
      throw new HandlerFailure('cancelled', 'The hooks of files are closed.')
    }
    await this.#closing
    this.#made ??= this.#make()
    try {
      return await this.#made
    } catch (error) {
      // Another time it may be there, such as a variable that is set by then.
      this.#made = undefined
      throw error
    }
  }

  #letGo(): void {
    const made = this.#made
    this.#made = undefined
    const before = this.#closing
    this.#closing = Promise.allSettled([before, closeOf(made)]).then(() =>
      this.#onGone(),
    )
  }
}

async function closeOf(made: Promise<Handler> | undefined): Promise<void> {
  const handler = await made
  await handler?.close?.()
}
