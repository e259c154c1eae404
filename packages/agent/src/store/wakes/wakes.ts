import type { Actor, JsonObject } from 'hookline/lifecycle'

/** What wakes agents: named events, once or each time. */
export interface Wakes {
  /** How many wakes in a row may lead to another. */
  readonly maxDepth: number
  add(wake: NewWake): Promise<StoredWake>
  /** The newest first. */
  list(options?: WakePageOptions): Promise<WakePage>
  get(id: string): Promise<StoredWake | undefined>
  /** Whether there was such a wake. */
  remove(id: string): Promise<boolean>
  /**
   * Tells an event: gives the wakes that it fired. One that is `isOnce` fires
   * once, whoever tells what at the same time; the same key fires nothing
   * again, and throws `conflict` with other data. Whoever told it sees to them, and says so by `done`.
   */
  fire(event: NamedEvent): Promise<Fired>
  /** What these firings asked for is under way. */
  done(firingIds: readonly string[]): Promise<void>
  /**
   * Firings that have not been seen to: of this process, and of those that are
   * gone, the oldest first; of a long list, what comes after so many.
   */
  left(limit: number, skip?: number): Promise<readonly LeftFiring[]>
  /**
   * Takes them over. Each is given to one process; it may have begun already.
   */
  take(left: readonly LeftFiring[]): Promise<readonly FiredWake[]>
  /** Leaves them to whichever process can see to them. */
  giveUp(firingIds: readonly string[]): Promise<void>
}

export interface NewWake {
  /** The name of the event. */
  readonly event: string
  readonly agent: string
  /** Which session is woken; absent: a new one each time. */
  readonly sessionId?: string
  /** What the agent is told beside the event. */
  readonly prompt?: string
  readonly isOnce?: boolean
  readonly by: string
}

export interface StoredWake {
  readonly id: string
  readonly event: string
  readonly agent: string
  readonly sessionId?: string
  readonly prompt: string
  readonly isOnce: boolean
  readonly createdAt: number
  readonly createdBy: string
  /** How often. */
  readonly fired: number
}

export interface WakePageOptions {
  /** Default: 50; at most 1000. */
  readonly limit?: number
  readonly after?: string
}

export interface WakePage {
  readonly items: readonly StoredWake[]
  /** To be given as `after` for what follows; absent at the end. */
  readonly next?: string
}

export interface NamedEvent {
  readonly name: string
  readonly data?: JsonObject
  /** Events of one name with the same key are one. */
  readonly key?: string
  /** How many wakes led to it; 0 for what comes from outside. */
  readonly depth: number
  readonly by: string
  /** On whose behalf it is told. */
  readonly actor?: Actor
}

/** What one event did. */
export interface Fired {
  readonly id: string
  /** False if it was told before. */
  readonly isNew: boolean
  /** It came of too many wakes in a row, and woke nobody. */
  readonly isTooDeep: boolean
  readonly wakes: readonly FiredWake[]
  /** How many it woke, when it was first told. */
  readonly woken: number
  /** How many of them have not been seen to. */
  readonly left: number
  /** Ids of wakes that fire too often, and did not this time. */
  readonly held: readonly string[]
}

/** One that nobody has seen to. */
export interface LeftFiring extends FiredWake {
  /** Whose it was. */
  readonly worker: string
}

/** A wake, and the event that it fired for. */
export interface FiredWake {
  /** One for each time; a good key for what it leads to. */
  readonly firingId: string
  readonly wakeId: string
  readonly agent: string
  readonly sessionId?: string
  readonly prompt: string
  /** Who had it made. */
  readonly createdBy?: string
  readonly event: Omit<NamedEvent, 'key'>
}
