import type { TurnResult } from '@hookline/agent'
import {
  checkSameInput,
  getTurn,
  keptResult,
  readStoredSession,
} from '@hookline/agent/durable'
import type { AgentEvent, JsonObject, Reply } from 'hookline/lifecycle'
import type { TurnOutcome } from '../protocol/schemas/sessions.ts'
import type { HostParts } from './host-parts.ts'

type TurnEnd = AgentEvent & { readonly type: 'turn-end' }

export function outcomeOf(sessionId: string, result: TurnResult): TurnOutcome {
  const { turnId, status, text, value, reason, error, usage, steps } = result
  return {
    sessionId,
    turnId,
    status,
    text,
    usage: { ...usage },
    steps,
    ...(value !== undefined && { value }),
    ...(reason !== undefined && { reason }),
    ...(error && { error: { ...error } }),
    ...(result.isDuplicate && { isDuplicate: true }),
  }
}

/** The same of a turn that another daemon has ended, as the log tells it. */
export async function outcomeOfEvent(
  { store }: HostParts,
  end: TurnEnd,
): Promise<TurnOutcome> {
  const { sessionId, turnId, status, reply, reason, error } = end
  const turn = await getTurn(store.parts, sessionId, turnId)
  return {
    sessionId,
    turnId,
    status,
    text: textOf(reply),
    ...(reason !== undefined && { reason }),
    ...(error && { error: { ...error } }),
    ...(turn && { usage: usageOf(turn), steps: turn.steps ?? 0 }),
  }
}

/** An input, by the key that it was given with. */
export interface KeyedInput {
  readonly sessionId: string
  readonly inputId: string
  /** What tells another input with that key from the same one. */
  readonly digest: string
}

/** What the same input was answered with; throws if that was another one. */
export async function knownOutcome(
  { store }: HostParts,
  { sessionId, inputId, digest }: KeyedInput,
): Promise<TurnOutcome | undefined> {
  const stored = await readStoredSession(store.parts, sessionId)
  const start = stored?.openTurn?.start
  if (start?.inputId === inputId) checkSameInput(inputId, start.digest, digest)
  const ended = stored?.inputs.get(inputId)
  if (ended === undefined) return undefined
  checkSameInput(inputId, ended.digest, digest)
  return outcomeOf(sessionId, keptResult(ended))
}

/**
 * The same as the journal has it, of a long text its beginning; or that there
 * never will be one, as its session is over.
 */
export async function lastOutcome(
  { store }: Pick<HostParts, 'store'>,
  sessionId: string,
  inputId: string,
): Promise<TurnOutcome | undefined> {
  const stored = await readStoredSession(store.parts, sessionId)
  const ended = stored?.inputs.get(inputId)
  if (ended !== undefined) return outcomeOf(sessionId, keptResult(ended))
  if (stored !== undefined && !stored.isEnded) return undefined
  const how = stored === undefined ? 'deleted' : 'closed'
  return { sessionId, status: 'cancelled', reason: `The session was ${how}.` }
}

/** A value that was asked for is what the text of the reply says. */
export function withValue(
  outcome: TurnOutcome,
  output: JsonObject | undefined,
): TurnOutcome {
  const { status, text, value } = outcome
  const isMissing = output !== undefined && value === undefined
  if (!isMissing || status !== 'succeeded') return outcome
  try {
    return { ...outcome, value: JSON.parse(text ?? '') }
  } catch {
    return outcome
  }
}

function textOf(reply: Reply): string {
  return reply
    .flatMap((block) => (block.type === 'text' ? [block.text] : []))
    .join('')
}

function usageOf(turn: {
  readonly inputTokens: number | null
  readonly outputTokens: number | null
}) {
  return {
    inputTokens: turn.inputTokens ?? 0,
    outputTokens: turn.outputTokens ?? 0,
  }
}
