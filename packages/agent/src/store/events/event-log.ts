import type { AgentEvent, JsonObject } from 'hookline/lifecycle'

/** What agents tell, for the streams of any process; kept for a while. */
export interface EventLog {
  /**
   * Adds events in their order, behind all that was added before. Settles when
   * everybody can read them.
   */
  append(events: readonly AgentEvent[]): Promise<void>
  /** What is told beside the events of agents: a reload, an alarm. */
  notice(
    name: string,
    data?: JsonObject,
    about?: { readonly sessionId?: string },
  ): Promise<void>
  /** What comes after a cursor; without one, from the oldest that is kept. */
  read(options?: ReadEventsOptions): Promise<EventPage>
  /** The newest cursor: what comes after it is not there yet. */
  head(): Promise<string>
  /** Calls back when there may be more to read; gives the way out. */
  onAppend(listener: () => void): () => void
}

export interface ReadEventsOptions {
  /**
   * Of a session; with what is done for it, if it works for nobody itself.
   * Default: all sessions, and what is about none.
   */
  readonly sessionId?: string
  readonly after?: string
  /** Default: 500; at most 1000. Large ones are fewer. */
  readonly limit?: number
}

export interface EventPage {
  readonly items: readonly LoggedEvent[]
  /** After the last that was looked at. */
  readonly next: string
  /** What came right after `after` is gone: these are the oldest there are. */
  readonly isReset: boolean
  readonly hasMore: boolean
}

/** Cursors are of one log, and in the order in which it was written. */
export type LoggedEvent = {
  readonly cursor: string
  /** By the clock of the database, in milliseconds since 1970. */
  readonly at: number
} & (
  | { readonly type: 'event'; readonly event: AgentEvent }
  | {
      readonly type: 'notice'
      readonly name: string
      readonly sessionId?: string
      readonly data?: JsonObject
    }
)
