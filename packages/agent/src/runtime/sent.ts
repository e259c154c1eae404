import type { UserContent } from 'hookline/lifecycle'
import { errorText } from '../data/error-text.ts'
import type { EventBus } from '../events/event-bus.ts'
import { Cancellation } from '../loop/cancellation.ts'
import type { SteerOutcome } from '../loop/turn.ts'
import type { OpenTurn } from '../ports/store.ts'
import { type OutputSchema, readOutputSchema } from '../tools/output-schema.ts'
import { contentOf } from './content-of.ts'
import { inputDigest } from './known-inputs.ts'
import type { ResumeOptions, SendOptions } from './start-turn.ts'

/** Something that was said, and what it is answered with. */
export interface Sent {
  /** The id of its turn. */
  readonly id: string
  readonly content: UserContent
  readonly options: SendOptions
  readonly output: OutputSchema | undefined
  /** What tells another input with its id from the same one. */
  readonly digest?: string | undefined
  readonly controller: Cancellation
  readonly bus: EventBus
  /** It was said to another process, which has got this far. */
  readonly open?: OpenTurn
  /** Nobody goes on with it. */
  readonly isAbandoned?: boolean
}

/** What somebody says now; throws if nobody could say that. */
export function sentNow(
  id: string,
  bus: EventBus,
  {
    input,
    options,
  }: { readonly input: string | UserContent; readonly options: SendOptions },
): Sent {
  const content = contentOf(input)
  const output = options.output && readOutputSchema(options.output)
  const digest =
    options.id === undefined
      ? undefined
      : inputDigest(content, output?.jsonSchema)
  const controller = new Cancellation()
  return { id, content, options, output, digest, controller, bus }
}

/** The same as it was said then. */
export function sentBefore(
  open: OpenTurn,
  bus: EventBus,
  { output, signal, message }: ResumeOptions,
  isAbandoned: boolean,
): Sent {
  const { turnId, content = [], inputId, origin, actor } = open.start
  const { digest, depth, output: kept } = open.start
  const schema = output ?? kept
  return {
    id: turnId,
    content,
    options: {
      origin,
      ...(inputId !== undefined && { id: inputId }),
      ...(actor !== undefined && { actor }),
      ...(depth !== undefined && { depth }),
      ...(signal !== undefined && { signal }),
      ...(message !== undefined && { message }),
    },
    output: schema && readOutputSchema(schema),
    digest,
    controller: new Cancellation(),
    bus,
    open,
    isAbandoned,
  }
}

/** Words that came too late for a turn become one of their own. */
export function sentLater(send: () => { readonly id: string }): SteerOutcome {
  try {
    return { type: 'queued', turnId: send().id }
  } catch (error) {
    return { type: 'rejected', reason: errorText(error) }
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
