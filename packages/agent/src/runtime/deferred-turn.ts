import type { AgentEvent, UserContent } from 'hookline/lifecycle'
import type { SubscribeOptions } from '../events/subscription.ts'
import type { TurnResult } from '../ports/turn-result.ts'
import type { Session } from './session.ts'
import type { SendOptions } from './start-turn.ts'
import type { TurnHandle } from './turn-handle.ts'

/** A turn that was asked for: its events, its result, and how to end it. */
export interface AgentTurn<Value = unknown> extends AsyncIterable<AgentEvent> {
  readonly result: Promise<TurnResult<Value>>
  /** The same as iterating, with a say in what happens to slow readers. */
  events(options?: SubscribeOptions): AsyncIterableIterator<AgentEvent>
  cancel(reason?: string): void
}

type Events = AsyncIterableIterator<AgentEvent>

/** A turn of a session that is still being opened. */
export class DeferredTurn<Value> implements AgentTurn<Value> {
  readonly result: Promise<TurnResult<Value>>
  readonly #turn: Promise<TurnHandle<Value>>
  readonly #wanted: ((turn: TurnHandle<Value>) => void)[] = []

  constructor(
    session: Promise<Session>,
    input: string | UserContent,
    options: SendOptions<Value> | undefined,
  ) {
    this.#turn = session.then((opened) => {
      const turn = opened.send(input, options)
      for (const give of this.#wanted) give(turn)
      return turn
    })
    this.result = this.#turn.then(({ result }) => result)
    // Who does not wait for the result has not asked to hear of its failure.
    this.result.catch(() => {})
  }

  cancel(reason?: string): void {
    const cancel = (turn: TurnHandle<Value>) => turn.cancel(reason)
    // At the moment it is sent: a step later, it could be over.
    this.#wanted.push(cancel)
    this.#turn.then(cancel, () => {})
  }

  events(options?: SubscribeOptions): Events {
    const events = new Promise<Events>((resolve, reject) => {
      let isGiven = false
      const give = (turn: TurnHandle<Value>) => {
        // Once: a second reader that nobody reads would hold up the turn.
        if (!isGiven) resolve(turn.events(options))
        isGiven = true
      }
      // At the moment it is sent: a step later, events would be missed.
      this.#wanted.push(give)
      this.#turn.then(give, reject)
    })
    const iterator: Events = {
      next: async () => (await events).next(),
      return: async () => {
        const ended = (await events).return?.()
        return (await ended) ?? { done: true, value: undefined }
      },
      [Symbol.asyncIterator]: () => iterator,
    }
    return iterator
  }

  [Symbol.asyncIterator](): Events {
    return this.events()
  }
}
