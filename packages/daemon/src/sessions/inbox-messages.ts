import type { InboxMessage } from '@hookline/agent/durable'
import type { Actor, JsonObject, Origin, UserContent } from 'hookline/lifecycle'
import type { TurnOrder } from './held-session.ts'

/** What can be asked of a session that another daemon may have. */
export type MessageKind =
  | 'send'
  | 'steer'
  | 'cancel'
  | 'compact'
  | 'close'
  | 'delete'
  | 'answer'
  | 'present'

/** The topic of what is left for one session. */
export const inboxTopic = (sessionId: string) => `inbox/${sessionId}`

/** The topic of what became of it. */
export const outcomeTopic = (sessionId: string) => `inbox-done/${sessionId}`

/** What became of a message, for whoever waits. */
export type Became =
  | { readonly type: 'ok'; readonly value: JsonObject }
  | {
      readonly type: 'failed'
      readonly code: string
      readonly message: string
    }

export function becameIn(outcome: JsonObject): Became {
  // Written by a daemon, as `Became`.
  return outcome as unknown as Became
}

/** As it is written down; `orderIn` reads it. */
export function bodyOf(order: TurnOrder): JsonObject {
  const { input, inputId, origin, actor, output, depth } = order
  return {
    inputId,
    // What came over the wire is plain data already.
    input: input as JsonObject[string],
    ...(origin && { origin }),
    ...(actor && { actor: { ...actor } }),
    ...(output && { output }),
    ...(depth !== undefined && { depth }),
  }
}

/** The order in a message, which is done with it; undefined if it holds none. */
export function orderIn({ id, body }: InboxMessage): TurnOrder | undefined {
  const { input, inputId, origin, actor, output, depth } = body
  const isInput = typeof input === 'string' || Array.isArray(input)
  if (!isInput) return undefined
  return {
    // Checked by the session, which takes no content that is none.
    input: input as string | UserContent,
    message: id,
    inputId: typeof inputId === 'string' ? inputId : id,
    ...(typeof origin === 'string' && { origin: origin as Origin }),
    ...(isObject(actor) && { actor: actor as unknown as Actor }),
    ...(isObject(output) && { output }),
    ...(typeof depth === 'number' && { depth }),
  }
}

/** Something that is said. */
export function isInput({ kind }: InboxMessage): boolean {
  return kind === 'send' || kind === 'steer'
}

/** What was said with this id. */
export function isInputWith(
  message: InboxMessage,
  inputId: string | undefined,
): boolean {
  return isInput(message) && orderIn(message)?.inputId === inputId
}

/** Whatever runs is to end. */
export function endsTurns({ kind, body }: InboxMessage): boolean {
  if (kind === 'cancel') return body['inputId'] === undefined
  return kind === 'close' || kind === 'delete'
}

export function textIn(body: JsonObject, key: string): string | undefined {
  const value = body[key]
  return typeof value === 'string' ? value : undefined
}

function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
