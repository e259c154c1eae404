import { listTurns } from '@hookline/agent/durable'
import type { UserContent } from 'hookline/lifecycle'
import type { CallContext } from '../protocol/caller.ts'
import { ProtocolError } from '../protocol/errors.ts'
import type { InputOf } from '../protocol/operations.ts'
import type { TurnOutcome } from '../protocol/schemas/sessions.ts'
import type { SessionService } from '../service/service-parts.ts'
import { seesAll, shownEnd } from '../service/visible-hooks.ts'
import { actorOf, type CallerCounts } from './caller-counts.ts'
import { handOver, isElsewhere, leaveMessage } from './hand-over.ts'
import type { HeldSessions } from './held-sessions.ts'
import type { HostParts } from './host-parts.ts'
import { bodyOf } from './inbox-messages.ts'
import type { Presence } from './presence.ts'
import { stopping } from './protocol-errors.ts'
import { answerHere, goOn, sendTurn, waitElsewhere } from './send-turn.ts'

export interface TurnDesk {
  readonly parts: HostParts
  readonly sessions: HeldSessions
  readonly counts: CallerCounts
  readonly presence: Presence
}

type TurnService = Pick<
  SessionService,
  'send' | 'resume' | 'steer' | 'cancel' | 'compact' | 'closeSession'
>

export function turnOperations(desk: TurnDesk): TurnService {
  return {
    send: async (input, context) =>
      shownTo(desk, context, await sendTurn(desk, input, context)),
    resume: async (input, context) =>
      shownTo(desk, context, await resume(desk, input, context)),
    steer: (input, context) => steer(desk, input, context),
    async cancel({ sessionId, reason }, context) {
      const body = reason === undefined ? {} : { reason }
      await leaveMessage(desk, { sessionId, kind: 'cancel', body }, context)
      return { ok: true }
    },
    compact: (input, context) => compact(desk, input, context),
    async closeSession({ sessionId }, context) {
      await leaveMessage(desk, { sessionId, kind: 'close', body: {} }, context)
      return { ok: true }
    },
  }
}

function shownTo(
  { parts }: TurnDesk,
  { caller }: CallContext,
  outcome: TurnOutcome,
): TurnOutcome {
  return seesAll(caller) ? outcome : shownEnd(outcome, parts.hub.isVisible)
}

async function compact(
  desk: TurnDesk,
  { sessionId }: InputOf<'compact'>,
  context: CallContext,
) {
  if (desk.sessions.isDraining) throw stopping()
  try {
    const outcome = await desk.sessions.use(
      sessionId,
      ({ session }) => session.compact(),
      actorOf(context.caller),
    )
    return { outcome }
  } catch (error) {
    if (!isElsewhere(error)) throw error
  }
  const message = { sessionId, kind: 'compact' as const, body: {} }
  const became = await handOver(desk, message, context)
  if (became !== undefined) return became
  throw new ProtocolError('gone', `Session "${sessionId}" was deleted.`)
}

async function resume(
  desk: TurnDesk,
  { sessionId, wait = false }: InputOf<'resume'>,
  context: CallContext,
): Promise<TurnOutcome> {
  const { parts, sessions } = desk
  if (sessions.isDraining) throw stopping()
  const after = await parts.store.events.head()
  const waiting = { ...context, sessionId, after, wait }
  try {
    const run = await sessions.use(sessionId, async (held) => {
      await goOn(sessions, held)
      return held.run
    })
    if (run === undefined) throw noneInterrupted(sessionId)
    const order = { input: '', inputId: run.inputId ?? '' }
    const whole = { ...waiting, order, whenGone: 'continue' as const }
    return await answerHere(desk, run, whole)
  } catch (error) {
    if (!isElsewhere(error)) throw error
  }
  // Another daemon goes on with it.
  const { items } = await listTurns(parts.store.parts, sessionId, { limit: 1 })
  const [turn] = items
  if (turn?.status !== 'running') throw noneInterrupted(sessionId)
  const { inputId } = turn
  if (!wait || inputId === null) {
    const about = { turnId: turn.id, cursor: after }
    return { sessionId, status: 'handed-over', ...about }
  }
  const order = { input: '', inputId }
  const whole = { ...waiting, order, whenGone: 'continue' as const }
  return await waitElsewhere(desk, whole)
}

function noneInterrupted(sessionId: string): ProtocolError {
  const message = `No turn of session "${sessionId}" was interrupted.`
  return new ProtocolError('conflict', message)
}

async function steer(
  desk: TurnDesk,
  { sessionId, input, key }: InputOf<'steer'>,
  context: CallContext,
) {
  const { parts, sessions } = desk
  const isRunning = sessions.get(sessionId)?.run !== undefined
  const order = {
    // The session takes no content that is none.
    input: input as string | UserContent,
    inputId: key ?? parts.store.parts.nextId(),
    actor: actorOf(context.caller),
  }
  const body = bodyOf(order)
  const message = {
    sessionId,
    kind: 'steer' as const,
    key: order.inputId,
    body,
  }
  const id = await leaveMessage(desk, message, context)
  // Whoever gave a key can ask again, and is not kept waiting.
  const isAwaited = isRunning && key === undefined
  const steered = isAwaited ? await sessions.steered(sessionId, id) : undefined
  if (steered?.type === 'taken') return { type: 'joined' as const }
  if (steered !== undefined) return steered
  const isHere = sessions.get(sessionId) !== undefined
  return { type: isHere ? ('queued' as const) : ('handed-over' as const) }
}
