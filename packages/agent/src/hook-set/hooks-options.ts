import type { Clock, Hook } from 'hookline'
import type { AuditEntry } from 'hookline/lifecycle'
import type { Catalogue } from '../config/catalogue.ts'
import type { LoadOptions } from '../config/loader.ts'
import type { DialectParts } from '../dialects/dialect.ts'
import type { HandlersOptions } from '../handlers/create-handlers.ts'
import type { Trust, TrustOptions } from '../trust/trust.ts'
import type { HooksSpec } from './define-hooks.ts'
import type { HooksState, SwappedHooks } from './hooks-state.ts'

export interface OpenHooksOptions
  extends Omit<LoadOptions, 'isTrusted' | 'builtins' | 'catalogue'> {
  /**
   * Hooks that files can use by name, or how they are loaded once a file does
   * so; default: none. Those that ship are at `@hookline/agent/hooks`.
   */
  readonly catalogue?: HooksCatalogue
  /** What hooks of the catalogue go by; default: the system's. */
  readonly clock?: Clock
  /** Hooks that are code, beside those of the files. */
  readonly hooks?: readonly Hook[]
  readonly handlers?: HandlersOptions
  readonly trust?: Trust | TrustOptions
  /** What hook files of other products are run with, beside the usual. */
  readonly dialectParts?: Partial<DialectParts>
  /** Puts hooks in place, and throws if it cannot; default: the runtime does. */
  readonly swap?: (set: SwappedHooks) => void
  /** Hears of every table that is tried, also of one that does not get in. */
  readonly onChange?: (state: HooksState) => void
  /** Takes what belongs on record, such as attempts to loosen a managed hook. */
  readonly onAudit?: (entry: AuditEntry) => void
}

// biome-ignore lint/suspicious/noExplicitAny: each has options of its own
export type HooksCatalogue = Catalogue<HooksSpec<any>>

export interface OpenedHooks {
  readonly state: HooksState
  readonly trust: Trust
  /** Reads everything again, now; what it says about a refusal is in the state. */
  reload(): Promise<HooksState>
  /**
   * Trusts what was inspected, and has it run from now on. As `openHooks` does,
   * it throws where the table is refused: what was trusted stays so, and the
   * last good table stays in place.
   */
  accept(hashes: readonly string[]): Promise<HooksState>
  /** The runtime keeps its hooks; processes and connections are let go of. */
  close(): Promise<void>
}
