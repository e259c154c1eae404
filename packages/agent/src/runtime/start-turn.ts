import type {
  Actor,
  AgentLimits,
  JsonObject,
  Origin,
  UserContent,
} from 'hookline/lifecycle'
import type { EventBus } from '../events/event-bus.ts'
import type { Cancellation } from '../loop/cancellation.ts'
import type { Conversation } from '../loop/conversation.ts'
import type { TurnSession } from '../loop/parts.ts'
import { Tally } from '../loop/tally.ts'
import type { Turn, TurnProgress } from '../loop/turn.ts'
import type { OpenTurn } from '../ports/store.ts'
import type { OutputSchema } from '../tools/output-schema.ts'
import type { StandardSchema } from '../tools/standard-schema.ts'
import type { RegisteredAgent } from './registered-agent.ts'
import { scopeOf } from './scope-of.ts'
import type { SessionHost } from './session-host.ts'
import { SessionTurnEvents } from './turn-events.ts'

export interface SendOptions<Value = unknown> {
  /** The sender's own id: the same input again is answered once. */
  readonly id?: string
  /** Who caused it; default `user`. */
  readonly origin?: Origin
  /** On whose behalf. */
  readonly actor?: Actor
  /** A schema that the reply has to be a value of. */
  readonly output?: StandardSchema<Value> | JsonObject
  /** Cancels the turn. */
  readonly signal?: AbortSignal
}

/** What a turn is started with. */
export interface TurnStart {
  readonly id: string
  readonly number: number
  readonly agent: RegisteredAgent
  readonly session: TurnSession & { readonly cwd: string }
  readonly conversation: Conversation
  readonly bus: EventBus
  readonly nextSeq: () => number
  readonly signal: Cancellation
  readonly options: SendOptions
  readonly actor: Actor | undefined
  readonly output: OutputSchema | undefined
  readonly parent: RunningTurn | undefined
  /** The turn, as far as an earlier process has brought it. */
  readonly open?: OpenTurn | undefined
  /** It is only brought to an end. */
  readonly isAbandoned?: boolean
}

/** A turn that runs, and where its events go. */
export interface RunningTurn {
  readonly turn: Turn
  readonly agent: RegisteredAgent
  readonly bus: EventBus
  /** One count for a session and all its sub-agents. */
  readonly nextSeq: () => number
}

const noContent: UserContent = Object.freeze([])

export function startTurn(host: SessionHost, start: TurnStart): Turn {
  const { parts } = host
  const { id, agent, session, conversation, bus, options, parent } = start
  const progress: TurnProgress = {
    content: noContent,
    scope: scopeOf(agent, placeOf(start)),
    tools: agent.tools,
    system: undefined,
    policies: [],
    context: [],
    step: 0,
    isInStep: false,
    isStepOpen: false,
    isRecorded: start.open !== undefined,
    budgetedSteps: 0,
    continues: 0,
    blocks: 0,
    stream: undefined,
    outputRetries: 0,
    calls: [],
    callIds: new Set(),
    hasActed: false,
    contextTokens: agent.config.compaction?.maxTokens,
    afterwards: undefined,
  }
  const tally = new Tally(parent?.turn.tally)
  const limits = limitsOf(agent, parent)
  const ids = { turn: id, session: session.id, agent: agent.name }
  return {
    parts,
    agent,
    session,
    id,
    inputId: options.id,
    conversation,
    tally,
    limits,
    budgets: [{ limits, tally }, ...(parent?.turn.budgets ?? [])],
    state: host.stateAt(ids),
    events: new SessionTurnEvents({
      parts,
      agent,
      bus,
      sessionId: session.id,
      turnId: id,
      nextSeq: start.nextSeq,
      progress,
      signal: start.signal,
    }),
    signal: start.signal,
    output: start.output,
    steering: [],
    parent: parent?.turn.parent,
    startedMs: parts.clock.now(),
    open: start.open,
    isAbandoned: start.isAbandoned ?? false,
    progress,
  }
}

function placeOf({ id, number, session, options, actor }: TurnStart) {
  const { origin = 'user' } = options
  return {
    origin,
    sessionId: session.id,
    turnId: id,
    turn: number,
    cwd: session.cwd,
    ...(actor && { actor }),
  }
}

/** Work is handed on no deeper than all of them allow. */
function limitsOf(
  { config }: RegisteredAgent,
  parent: RunningTurn | undefined,
): AgentLimits {
  const { limits = {} } = config
  const outer = parent?.turn.limits.maxDepth
  if (outer === undefined) return limits
  return { ...limits, maxDepth: Math.min(limits.maxDepth ?? Infinity, outer) }
}
