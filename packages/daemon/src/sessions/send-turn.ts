import { checkSameInput, inputDigest } from '@hookline/agent/durable'
import type { UserContent } from 'hookline/lifecycle'
import type { CallContext } from '../protocol/caller.ts'
import { ProtocolError } from '../protocol/errors.ts'
import type { InputOf } from '../protocol/operations.ts'
import type { TurnOutcome } from '../protocol/schemas/sessions.ts'
import { awaitTurn } from './await-turn.ts'
import { actorOf } from './caller-counts.ts'
import { isElsewhere, leaveMessage } from './hand-over.ts'
import type { HeldSession, TurnOrder } from './held-session.ts'
import type { HeldSessions } from './held-sessions.ts'
import { bodyOf } from './inbox-messages.ts'
import { stopping } from './protocol-errors.ts'
import type { TurnDesk } from './turn-operations.ts'
import { knownOutcome, outcomeOf, withValue } from './turn-outcome.ts'
import type { TurnRun } from './turn-run.ts'

/** Begins a turn, or has the daemon that has the session begin it. */
export async function sendTurn(
  desk: TurnDesk,
  { sessionId, input, key, wait = false, output, whenGone }: InputOf<'send'>,
  context: CallContext,
): Promise<TurnOutcome> {
  const { parts, sessions, counts, presence } = desk
  if (sessions.isDraining) throw stopping()
  const { maxTurns } = parts.settings
  // There are no more turns than sessions, of which there may be many.
  if (sessions.size >= maxTurns && sessions.turns >= maxTurns) {
    const message = `${sessions.turns} turns run here, which is as many as can; try again later.`
    throw new ProtocolError('too-many', message)
  }
  const release = counts.take('turns', context.caller)
  try {
    const actor = actorOf(context.caller)
    const inputId = key ?? parts.store.parts.nextId()
    const content = {
      // The session takes no content that is none.
      input: input as string | UserContent,
      // A JSON object by its schema.
      ...(output && { output: output as NonNullable<TurnOrder['output']> }),
    }
    const digest = inputDigest(content.input, content.output)
    const order = { ...content, inputId, digest, actor }
    const asked = { sessionId, inputId, digest }
    const known = key && (await knownOutcome(parts, asked))
    if (known) return { ...withValue(known, order.output), isDuplicate: true }
    // Whoever waits for the end needs no place in the log.
    const start = wait ? undefined : await parts.store.events.head()
    const waiting = { ...context, sessionId, order, wait, whenGone }
    const begun = await beginHere(desk, sessionId, order)
    if (begun !== undefined) {
      return await answerHere(desk, begun, { ...waiting, after: start })
    }
    const after = start ?? (await parts.store.events.head())
    await presence.say(sessionId)
    const body = bodyOf(order)
    const message = { sessionId, kind: 'send' as const, key: inputId, body }
    await leaveMessage(desk, message, context)
    if (wait) return await waitElsewhere(desk, { ...waiting, after })
    const isHere = sessions.get(sessionId) !== undefined
    const status = isHere ? 'started' : 'handed-over'
    return { sessionId, status, cursor: after }
  } finally {
    release()
  }
}

export interface Waiting extends CallContext {
  readonly sessionId: string
  readonly order: TurnOrder
  /** Where the log stood before. */
  readonly after: string | undefined
  readonly wait: boolean
  readonly whenGone: 'continue' | 'cancel' | undefined
}

/** The turn, if this daemon has the session and nothing comes before it. */
async function beginHere(
  { sessions }: TurnDesk,
  sessionId: string,
  order: TurnOrder & { readonly digest: string },
): Promise<TurnRun | undefined> {
  try {
    return await sessions.use(
      sessionId,
      async (held) => {
        await goOn(sessions, held)
        if (held.run?.inputId === order.inputId) {
          checkSameInput(order.inputId, held.run.digest, order.digest)
          return held.run
        }
        const isFree = held.run === undefined && !sessions.isBehind(sessionId)
        return isFree && !sessions.isDraining ? held.start(order) : undefined
      },
      order.actor,
    )
  } catch (error) {
    if (isElsewhere(error)) return undefined
    throw error
  }
}

/** What another process has left of a session goes on first. */
export async function goOn(
  sessions: HeldSessions,
  held: HeldSession,
): Promise<void> {
  if (held.session.interrupted !== undefined) await sessions.attend(held.id)
}

export async function answerHere(
  desk: TurnDesk,
  run: TurnRun,
  waiting: Waiting,
): Promise<TurnOutcome> {
  const { sessionId, after, wait, signal } = waiting
  if (!wait) {
    await run.kept
    return { sessionId, turnId: run.turnId, status: 'started', ...at(after) }
  }
  const stop = () => {
    if (waiting.whenGone === 'cancel') run.cancel('Whoever waited has gone.')
  }
  signal.addEventListener('abort', stop)
  if (signal.aborted) stop()
  try {
    const end = await run.end
    if (end.type === 'failed') throw end.error
    if (end.type === 'ended') {
      return { ...outcomeOf(sessionId, end.result), ...at(after) }
    }
  } finally {
    signal.removeEventListener('abort', stop)
  }
  return await waitElsewhere(desk, waiting)
}

/** Another daemon runs it; what it comes to is in the log. */
export async function waitElsewhere(
  desk: TurnDesk,
  { sessionId, order, after, signal, whenGone, caller }: Waiting,
): Promise<TurnOutcome> {
  const { inputId, output } = order
  const stop = () => {
    if (whenGone !== 'cancel') return
    const body = { inputId, reason: 'Whoever waited has gone.' }
    const message = { sessionId, kind: 'cancel' as const, body }
    leaveMessage(desk, message, { caller }).catch((error: unknown) =>
      desk.parts.noteError('cancel', error),
    )
  }
  signal.addEventListener('abort', stop)
  if (signal.aborted) stop()
  try {
    // Nobody goes on with it before it was let go of.
    const from = after ?? (await desk.parts.store.events.head())
    const awaited = { sessionId, inputId, after: from, signal }
    const outcome = await awaitTurn(desk.parts, awaited)
    return { ...withValue(outcome, output), ...at(after) }
  } finally {
    signal.removeEventListener('abort', stop)
  }
}

function at(cursor: string | undefined) {
  return cursor === undefined ? {} : { cursor }
}
