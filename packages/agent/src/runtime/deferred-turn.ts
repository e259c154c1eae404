import type { AgentEvent, UserContent } from 'hookline/lifecycle'
import type { TurnResult } from '../ports/turn-result.ts'
import type { Session } from './session.ts'
import type { SendOptions } from './start-turn.ts'
import type { TurnHandle } from './turn-handle.ts'

/** A turn that was asked for: its events, its result, and how to end it. */
export interface AgentTurn extends AsyncIterable<AgentEvent> {
  readonly result: Promise<TurnResult>
  cancel(reason?: string): void
}

type Events = AsyncIterator<AgentEvent>

/** A turn of a session that is still being opened. */
export class DeferredTurn implements AgentTurn {
  readonly result: Promise<TurnResult>
  readonly #turn: Promise<TurnHandle>
  readonly #wanted: ((events: Events) => void)[] = []
  #isSent = false

  constructor(
    session: Promise<Session>,
    input: string | UserContent,
    options: SendOptions | undefined,
  ) {
    this.#turn = session.then((opened) => {
      const turn = opened.send(input, options)
      this.#isSent = true
      for (const give of this.#wanted) give(turn.events())
      return turn
    })
    this.result = this.#turn.then(({ result }) => result)
    // Who does not wait for the result has not asked to hear of its failure.
    this.result.catch(() => {})
  }

  cancel(reason?: string): void {
    this.#turn.then(
      (turn) => turn.cancel(reason),
      () => {},
    )
  }

  [Symbol.asyncIterator](): Events {
    const events = this.#events()
    return {
      next: async () => (await events).next(),
      return: async () => {
        const ended = (await events).return?.()
        return (await ended) ?? { done: true, value: undefined }
      },
    }
  }

  async #events(): Promise<Events> {
    if (this.#isSent) return (await this.#turn).events()
    return new Promise((resolve, reject) => {
      this.#wanted.push(resolve)
      // A session that cannot be opened has no events, and says so.
      this.#turn.catch(reject)
    })
  }
}
