import type { Clock } from 'hookline'
import type { TrustedFile } from './subject-reader.ts'
import type { TrustEntry } from './trust-book.ts'
import type { TrustSource } from './trust-source.ts'

/** `changed`: it was trusted, and has become something else since. */
export type TrustState = 'trusted' | 'untrusted' | 'changed'

/** One thing that wants to run, as people decide about it. */
export interface TrustItem {
  /** What is trusted: what it says, its files, and its project. */
  readonly hash: string
  readonly name: string
  readonly state: TrustState
  /** The user was not shown it before. */
  readonly isNew: boolean
  /** All that it says, whole, with what would not be seen written out. */
  readonly text: string
  readonly files: readonly TrustedFile[]
  /** What is not covered. */
  readonly unseen: readonly string[]
  readonly problems: readonly string[]
}

export interface Inspection {
  /** Without links. */
  readonly project: string
  readonly items: readonly TrustItem[]
  /** Why less is trusted than there might be, where that is so. */
  readonly problems: readonly string[]
  /** What was trusted cannot be told: any of these may have been. */
  readonly isUnknown: boolean
}

export interface TrustCheck {
  readonly state: TrustState
  readonly hash: string
  /** Why it is not trusted. */
  readonly problem?: string
}

export interface TrustOptions {
  /** Default: `$XDG_STATE_HOME/hookline`, that is `~/.local/state/hookline`. */
  readonly folder?: string
  /** Hashes that are trusted by this process alone, beside `HOOKLINE_TRUST`. */
  readonly trustedHashes?: readonly string[]
  /** Default: that of the process. */
  readonly environment?: Readonly<Record<string, string | undefined>>
  readonly clock?: Clock
  /** How long to wait for other processes; default 5 s. */
  readonly lockWaitMs?: number
}

/** What of a project may run. Kept for the user, outside of every project. */
export interface Trust {
  /** Says what wants to run. Runs, imports and asks nothing of the project. */
  inspect(
    project: string,
    sources: readonly TrustSource[],
    options?: { readonly cwd?: string },
  ): Inspection
  /**
   * Whether one of them may run now, in a session that works in `cwd`; cheap as
   * long as nothing changed.
   */
  check(
    project: string,
    source: TrustSource,
    options?: { readonly cwd?: string },
  ): TrustCheck
  /** Whether this very hash is trusted here, such as that of a file's bytes. */
  isTrusted(project: string, hash: string): boolean
  /** Whether anything of a project is trusted, or nobody can say. */
  knows(project: string): boolean
  /** Trusts what was inspected. All of it, or nothing. */
  trust(hashes: readonly string[]): Promise<void>
  /** Trusts a file of a project by the SHA-256 of its bytes. */
  trustFile(project: string, file: TrustedBytes): Promise<void>
  revoke(hashes: readonly string[]): Promise<void>
  /** Notes that the user was shown these, so that they are no longer new. */
  remember(inspection: Inspection): Promise<void>
  list(): readonly TrustEntry[]
}

interface TrustedBytes {
  readonly path: string
  readonly hash: string
}
