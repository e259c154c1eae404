import type { Actor } from 'hookline/lifecycle'

/**
 * Where a question stands. Only `approved` can become `used`, once; `edited` is
 * answered, but no yes: the changed call is asked about anew.
 */
export type ApprovalState =
  | 'pending'
  | 'approved'
  | 'edited'
  | 'denied'
  | 'expired'
  | 'void'
  | 'used'

/** A question to people, and what became of it. All of it can be shown. */
export interface Approval {
  readonly id: string
  readonly sessionId: string
  readonly turnId: string
  readonly callId: string
  readonly agent: string
  readonly cwd: string
  readonly tool: string
  /** The call that will run, and no other. */
  readonly seal: string
  /** What whoever answers is shown, to be shown as it is. */
  readonly shown: string
  /** Over what is shown and what will run; an answer has to name it. */
  readonly shownHash: string
  /** Not all is shown: something was too long, or taken out as a secret. */
  readonly isCut: boolean
  readonly questions: readonly ShownQuestion[]
  /** How many people have to agree. */
  readonly approvers: number
  /** How many have agreed so far. */
  readonly votes: number
  /** All on whose behalf it is; none of them agrees where two have to. */
  readonly requestedBy: readonly string[]
  readonly state: ApprovalState
  /** Database time in milliseconds since 1970, as are the others. */
  readonly askedAt: number
  readonly expiresAt: number
  readonly decidedAt?: number
  readonly decidedBy?: string
  readonly reason?: string
  readonly lasts?: Lasts
  readonly usedAt?: number
}

export interface ShownQuestion {
  readonly by: string
  readonly question: string
}

/** How long a yes holds: for this call, or as a rule for others like it. */
export type Lasts = 'once' | 'session' | 'always'

/** What a rule is for: the same arguments, or any that the tool takes. */
export type Covers = 'arguments' | 'tool'

/** Who answers, as whoever let them in knows them. */
export interface Principal {
  readonly kind: Actor['kind'] | 'agent'
  readonly id: string
}

/** One name for one principal, in records and in comparisons. */
export function principalName({ kind, id }: Principal): string {
  return `${kind}:${id}`
}

/** Who has that name; undefined for agents, and for what is no name. */
export function actorNamed(name: string): Actor | undefined {
  const [, kind, id] = /^(user|service|system):(.+)$/su.exec(name) ?? []
  // One of the three, as was just found.
  return id === undefined ? undefined : { kind: kind as Actor['kind'], id }
}

/** Something that whoever runs the store should hear of at once. */
export type ApprovalAlarm =
  /** Somebody has changed a row behind our back; it counts for nothing. */
  | {
      readonly type: 'tampered'
      readonly table: 'approvals' | 'votes' | 'rules'
      readonly id: string
    }
  /** Something that nobody waits for went wrong. */
  | { readonly type: 'failed'; readonly doing: string; readonly error: unknown }
