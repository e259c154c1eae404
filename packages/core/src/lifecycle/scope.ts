/** The moment that a point is asked in; every hook of the lifecycle sees it. */
export interface AgentScope {
  readonly agent: string
  readonly origin: Origin
  /** The kind of core that runs the agent: ours, or another program. */
  readonly coreType: string
  readonly sessionId?: string
  readonly turnId?: string
  /** Counts from 1 in the session. */
  readonly turn?: number
  /** Counts from 1 in the turn; one model call and its tools are a step. */
  readonly step?: number
  readonly cwd?: string
  readonly actor?: Actor
  /** The agents above this one, the outermost first; absent at the top. */
  readonly parents?: readonly string[]
  /**
   * The agent whose hooks are asked, where the moment is one of another
   * product: its agents and sessions are none of ours.
   */
  readonly hooksOf?: string
}

/** Who caused the moment; `background`: the result of earlier work. */
export type Origin =
  | 'user'
  | 'hook'
  | 'preflight'
  | 'subagent'
  | 'background'
  | 'compaction'

/** On whose behalf it happens. */
export interface Actor {
  readonly kind: 'user' | 'service' | 'system'
  readonly id: string
  /** Others with a say in it: who spoke meanwhile, or had it woken. */
  readonly besides?: readonly Omit<Actor, 'besides'>[]
}
