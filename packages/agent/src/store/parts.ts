import type { Clock } from 'hookline'
import type { Payloads } from './content/payloads.ts'
import type { Redactor } from './content/redact.ts'
import type { Database } from './database.ts'
import type { Signals } from './signals/signals.ts'

/** What all parts of a store work with. */
export interface StoreParts {
  readonly database: Database
  /** What has to be exact, as text; it may be encrypted. */
  readonly payloads: Payloads
  /** Takes secrets out of everything else, before it is first written. */
  readonly redactor: Redactor
  /** Ids that sort by the time they were made at. */
  readonly nextId: () => string
  /** For durations and timers of this process; what decides is database time. */
  readonly clock: Clock
  /** This process among those that share the database. */
  readonly worker: string
  /** Without them, whoever waits for others looks every now and then. */
  readonly signals?: Signals
}
