import type {
  Contributed,
  InputOf,
  MaybePromise,
  Outcome,
  Point,
  RunOptions,
  Table,
} from 'hookline'
import {
  type AgentScope,
  audit,
  job,
  type Notice,
  notice,
} from 'hookline/lifecycle'
import type { Turn } from './turn.ts'

interface AskOptions {
  readonly scope?: AgentScope
  /** Another table than the newest: one held for several points. */
  readonly table?: Table
  /** About what has happened: it is asked also when the turn is cancelled. */
  readonly isAfterwards?: boolean
}

// Whoever has cancelled waits no longer than this for hooks to be told.
const cancelledDeadlineMs = 5_000

/** Asks a point about this moment of the turn. */
export function ask<P extends Point>(
  turn: Turn,
  point: P,
  input: InputOf<P>,
  options: AskOptions = {},
): MaybePromise<Outcome<P>> {
  const { parts, agent, state, signal, parent, progress } = turn
  const { scope = progress.scope, table = agent.table } = options
  const isLate = options.isAfterwards === true && signal.aborted
  const asked: RunOptions = {
    scope,
    state,
    table,
    ...(options.isAfterwards ? undefined : { signal }),
    ...(isLate ? { deadlineMs: cancelledDeadlineMs } : undefined),
    ...(parent ? { parent } : undefined),
  }
  // The scope is right: all points that a turn asks are an agent's.
  const outcome = parts.engine.run(point, input, asked as RunOptions<P>)
  return outcome instanceof Promise
    ? outcome.then((ended) => hear(turn, point, ended))
    : hear(turn, point, outcome)
}

/** Passes on what hooks contributed for others than this point. */
function hear<P extends Point>(
  { events, parts, progress }: Turn,
  point: P,
  outcome: Outcome<P>,
): Outcome<P> {
  for (const contributed of outcome.contributions.all) {
    const { kind, by } = contributed
    if (isNotice(contributed)) {
      const told = { hook: by, point: point.name, notice: contributed.value }
      if (events.isWatched) events.emit({ type: 'hook-delta', ...told })
    }
    if (kind === audit.kind || kind === job.kind) {
      parts.collect(contributed, progress.scope)
    }
  }
  return outcome
}

function isNotice(one: Contributed): one is Contributed<Notice> {
  return one.kind === notice.kind
}
