import type { UserContent } from 'hookline/lifecycle'
import type { EventBus } from '../events/event-bus.ts'
import { Cancellation } from '../loop/cancellation.ts'
import type { OpenTurn } from '../ports/store.ts'
import type { OutputSchema } from '../tools/output-schema.ts'
import type { SendOptions } from './start-turn.ts'

/** Something that was said, and what it is answered with. */
export interface Sent {
  /** The id of its turn. */
  readonly id: string
  readonly content: UserContent
  readonly options: SendOptions
  readonly output: OutputSchema | undefined
  readonly controller: Cancellation
  readonly bus: EventBus
  /** It was said to another process, which has got this far. */
  readonly open?: OpenTurn
  /** Nobody goes on with it. */
  readonly isAbandoned?: boolean
}

/** The same as it was said then. */
export function sentBefore(
  open: OpenTurn,
  bus: EventBus,
  isAbandoned: boolean,
): Sent {
  const { turnId, content = [], inputId, origin, actor } = open.start
  return {
    id: turnId,
    content,
    options: {
      origin,
      ...(inputId !== undefined && { id: inputId }),
      ...(actor !== undefined && { actor }),
    },
    output: undefined,
    controller: new Cancellation(),
    bus,
    open,
    isAbandoned,
  }
}

/** For work that is not about an input. */
export function nothingSent(id: string, bus: EventBus): Sent {
  const controller = new Cancellation()
  return { id, content: [], options: {}, output: undefined, controller, bus }
}

export function createCounter(): () => number {
  let count = 0
  return () => ++count
}
