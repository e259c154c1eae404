/**
 * Short words between the processes that share a store: that there may be
 * something to look at. A word can be lost, and comes late then, never not.
 */
export interface Signals {
  /** Tells all who listen, here and elsewhere. */
  tell(topic: string): void
  /**
   * Calls back when somebody told, when words may have been lost, and every
   * now and then. Many words in a short time are one call. Gives the way out.
   */
  on(topic: string, listener: () => void, options?: SignalOptions): () => void
}

export interface SignalOptions {
  /** Whoever looks by themselves need not be called now and then. */
  readonly isPolled?: boolean
}

/** Of what the store itself tells. */
export const topics = {
  events: 'events',
  inbox: 'inbox',
  wakes: 'wakes',
  jobs: 'jobs',
  /** A question was put, or is not open any more. */
  approvals: 'approvals',
  /** One is not open any more: a turn that waited for it may go on. */
  answers: 'answers',
  /** This one is not open any more. */
  approval: (id: string) => `approval/${id}`,
} as const
