import { AgentError, type AgentErrorCode } from '@hookline/agent'
import type { MessageOutcome } from '@hookline/agent/durable'
import type { JsonObject } from 'hookline/lifecycle'
import type { CallContext } from '../protocol/caller.ts'
import {
  type ErrorCode,
  errorStatus,
  ProtocolError,
} from '../protocol/errors.ts'
import { nameOf } from './caller-counts.ts'
import { endings, endUnopened, isUnopened } from './end-unopened.ts'
import type { HeldSessions } from './held-sessions.ts'
import type { HostParts } from './host-parts.ts'
import {
  becameIn,
  inboxTopic,
  type MessageKind,
  outcomeTopic,
} from './inbox-messages.ts'

export interface HandOverDesk {
  readonly parts: HostParts
  readonly sessions: HeldSessions
}

export interface LeftMessage {
  readonly sessionId: string
  readonly kind: MessageKind
  readonly key?: string
  readonly body: JsonObject
}

/**
 * Leaves a message for whoever has the session: that may be nobody, or us.
 * Gives its id.
 */
export async function leaveMessage(
  desk: HandOverDesk,
  message: LeftMessage,
  { caller }: Pick<CallContext, 'caller'>,
): Promise<string> {
  const { parts, sessions } = desk
  const { sessionId } = message
  const left = { ...message, by: nameOf(caller) }
  const { id } = await parts.store.inbox.put(left)
  parts.store.signals.tell(inboxTopic(sessionId))
  if (sessions.isDraining) return id
  try {
    await sessions.use(sessionId, () => sessions.attend(sessionId))
  } catch (error) {
    const isToEnd = endings.has(message.kind) && isUnopened(error)
    if (isToEnd) {
      await endHere(desk, sessionId)
      return id
    }
    // Somebody may have been faster: what ends a session was to end it, and an
    // input ends with it.
    const isOver = ending.has(message.kind) && isGone(error)
    const isLeft = isElsewhere(error) || isStopping(error)
    if (!isLeft && !isOver) throw error
  }
  return id
}

async function endHere(desk: HandOverDesk, id: string): Promise<void> {
  try {
    await endUnopened(desk, id)
  } catch (error) {
    // Another daemon has it by now, and sees to it.
    if (!isElsewhere(error)) throw error
  }
}

const ending: ReadonlySet<MessageKind> = new Set([
  'send',
  'cancel',
  'close',
  'delete',
])

const overCodes: ReadonlySet<AgentErrorCode> = new Set([
  'session-closed',
  'session-ended',
  'unknown-session',
])

function isGone(error: unknown): boolean {
  return error instanceof AgentError && overCodes.has(error.code)
}

/** This daemon takes nothing more: what is left is for the next one. */
function isStopping(error: unknown): boolean {
  return error instanceof AgentError && error.code === 'runtime-closed'
}

/**
 * The same, and waits for what became of it. Undefined if the message went
 * with its session.
 */
export async function handOver(
  desk: HandOverDesk,
  message: LeftMessage,
  context: CallContext,
): Promise<JsonObject | undefined> {
  const id = await leaveMessage(desk, message, context)
  const { sessionId, kind } = message
  const found = await outcomeOf(desk.parts, { id, sessionId, kind }, context)
  if (found?.outcome === undefined) return undefined
  const became = becameIn(found.outcome)
  if (became.type === 'ok') return became.value
  throw new ProtocolError(codeOf(became.code), became.message)
}

/** Settles when a message is done, or has gone, whichever daemon does it. */
async function outcomeOf(
  { store, clock, settings, noteError }: HostParts,
  about: {
    readonly id: string
    readonly sessionId: string
    readonly kind: MessageKind
  },
  { signal }: CallContext,
): Promise<MessageOutcome | undefined> {
  const { id, sessionId, kind } = about
  const { promise, resolve, reject } = Promise.withResolvers<
    MessageOutcome | undefined
  >()
  const look = () => {
    store.inbox.outcome(id).then(
      (found) => {
        if (found === undefined || found.isDone) resolve(found)
      },
      (error: unknown) => noteError('inbox-outcome', error),
    )
  }
  const giveUp = (why: string) => {
    const message = `The daemon that has session "${sessionId}" was asked to ${kind} it, and ${why}; it is done when that daemon gets to it.`
    reject(new ProtocolError('unavailable', message))
  }
  const leave = () => giveUp('nobody waits any more')
  const timer = clock.after(settings.handOverMs, () =>
    giveUp(`has not said so for ${settings.handOverMs} ms`),
  )
  // Also every now and then, should a word be lost.
  const unfollow = store.signals.on(outcomeTopic(sessionId), look)
  signal.addEventListener('abort', leave)
  if (signal.aborted) leave()
  look()
  try {
    return await promise
  } finally {
    timer.stop()
    unfollow()
    signal.removeEventListener('abort', leave)
  }
}

function codeOf(code: string): ErrorCode {
  return Object.hasOwn(errorStatus, code) ? (code as ErrorCode) : 'internal' // it is one of them
}

export function isElsewhere(error: unknown): boolean {
  return error instanceof AgentError && error.code === 'session-elsewhere'
}
