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
import type { Budget, Turn, TurnProgress } from '../loop/turn.ts'
import type { OpenTurn } from '../ports/store.ts'
import type { OutputSchema } from '../tools/output-schema.ts'
import type { StandardSchema } from '../tools/standard-schema.ts'
import type { RegisteredAgent } from './registered-agent.ts'
import { scopeOf } from './scope-of.ts'
import type { SessionHost } from './session-host.ts'
import { sessionIds } from './session-ids.ts'
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
  /** How many wakes led to it; default 0. */
  readonly depth?: number
  /** The message of an inbox that is done when the journal has the turn. */
  readonly message?: string
}

/** A schema of a library is said again; its JSON Schema is kept. */
export type ResumeOptions<Value = unknown> = Pick<
  SendOptions<Value>,
  'output' | 'signal' | 'message'
>

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
  readonly digest?: string | undefined
  readonly parent: RunningTurn | undefined
  /** Limits of those that it works for, and that do not wait for it. */
  readonly above: readonly AgentLimits[]
  /** The turn, as far as an earlier process has brought it. */
  readonly open?: OpenTurn | undefined
  /** It is only brought to an end. */
  readonly isAbandoned?: boolean | undefined
}

/** A turn that runs, and where its events go. */
export interface RunningTurn {
  readonly turn: Turn
  readonly agent: RegisteredAgent
  readonly bus: EventBus
  /** One count for a session and all its sub-agents. */
  readonly nextSeq: () => number
  /** Another turn waits for it. */
  readonly isWaited: boolean
}

/** How deep work is handed on where no limit says so. */
export const defaultMaxDepth = 3

const noContent: UserContent = Object.freeze([])
const noTools: readonly string[] = Object.freeze([])

export function startTurn(host: SessionHost, start: TurnStart): Turn {
  const { parts } = host
  const startedMs = parts.clock.now()
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
    reply: undefined,
    stream: undefined,
    prompt: undefined,
    outputRetries: 0,
    calls: [],
    callIds: new Set(),
    withheldTools: noTools,
    hasActed: false,
    taken: options.message === undefined ? [] : [options.message],
    joined: undefined,
    contextTokens: agent.config.compaction?.maxTokens,
    afterwards: undefined,
  }
  const tally = new Tally(parent?.turn.tally)
  const limits = limitsOf(agent, start)
  const [tree] = session.within
  const ids = {
    turn: id,
    agent: agent.name,
    ...sessionIds(session.id, tree),
  }
  return {
    parts,
    agent: agent.asBegun(),
    session,
    id,
    inputId: options.id,
    digest: start.digest,
    depth: options.depth ?? 0,
    conversation,
    tally,
    limits,
    budgets: budgetsOf(start, { limits, tally }),
    state: host.stateAt(ids),
    events: new SessionTurnEvents({
      parts,
      agent,
      bus,
      sessionId: session.id,
      within: session.within,
      turnId: id,
      nextSeq: start.nextSeq,
      progress,
      signal: start.signal,
    }),
    signal: start.signal,
    output: start.output,
    steering: [],
    parent: parent?.turn.parent,
    waiter: parent?.turn,
    startedMs,
    startedAt: parts.clock.wallAt(startedMs),
    open: start.open,
    isAbandoned: start.isAbandoned ?? false,
    progress,
  }
}

function placeOf({ id, number, session, options, actor }: TurnStart) {
  const { origin = 'user' } = options
  const { id: sessionId, cwd } = session
  const place = { origin, sessionId, turnId: id, turn: number, cwd }
  return actor === undefined ? place : { ...place, actor }
}

function budgetsOf({ above, parent }: TurnStart, own: Budget) {
  const budgets = [own]
  for (const limits of above) budgets.push({ limits, tally: own.tally })
  if (parent !== undefined) budgets.push(...parent.turn.budgets)
  return budgets
}

/** Work is handed on no deeper, and takes no longer, than all of them allow. */
function limitsOf(
  { config }: RegisteredAgent,
  { parent, above }: TurnStart,
): AgentLimits {
  const { limits = {} } = config
  const outer = parent === undefined ? above : [parent.turn.limits]
  if (outer.length === 0) return limits
  const depths = outer.map(({ maxDepth = defaultMaxDepth }) => maxDepth)
  const maxDepth = Math.min(limits.maxDepth ?? Infinity, ...depths)
  // A turn that waits has a clock of its own.
  const walls = [limits, ...above].map(({ maxWallMs = Infinity }) => maxWallMs)
  const maxWallMs = Math.min(...walls)
  const isTimed = maxWallMs !== Infinity
  return { ...limits, maxDepth, ...(isTimed && { maxWallMs }) }
}
