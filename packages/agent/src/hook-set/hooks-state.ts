import type { Hook, TableOptions } from 'hookline'
import type { LoadedConfig } from '../config/loaded-config.ts'
import type { ConfigProblem } from '../config/problem.ts'
import type { Finding } from '../dialects/finding.ts'
import type { TrustItem } from '../trust/trust.ts'
import type { AssemblyProblem } from './assemble-hooks.ts'

/** Hooks that are to take the place of others. */
export interface SwappedHooks {
  readonly hooks: readonly Hook[]
  readonly options: TableOptions
  /** The names of those that nobody below may switch off. */
  readonly managed: ReadonlySet<string>
  readonly config: LoadedConfig
}

/** What the files come to. */
export interface HooksState {
  readonly config: LoadedConfig
  /** What came with the project and does nothing until somebody trusts it. */
  readonly untrusted: readonly TrustItem[]
  readonly problems: readonly (ConfigProblem | AssemblyProblem)[]
  /** Commands that cannot be started as things are: their hooks will fail. */
  readonly doubts: readonly AssemblyProblem[]
  readonly findings: readonly Finding[]
  /**
   * Hook files of other products that are wrong or have gone; what they said
   * before is what runs. Their findings say why.
   */
  readonly keptFiles: readonly string[]
  /** Why this is not what runs, and an earlier table is. */
  readonly refusal?: string
}
