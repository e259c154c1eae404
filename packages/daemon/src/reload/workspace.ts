import type { ModelRegistry } from '@hookline/agent'
import type { HooksState, OpenedHooks } from '@hookline/agent/config'
import type {
  AuditHead,
  DurableRuntime,
  Store,
  StoreOptions,
} from '@hookline/agent/durable'
import type {
  McpPlugin,
  SkillsPlugin,
  UserQuestions,
} from '@hookline/agent/plugins'
import type { Clock } from 'hookline'
import type { Log, OpenLog } from '../log/log.ts'
import type { BackgroundTasks } from './background-tasks.ts'
import type { KnownHooks } from './known-hooks.ts'
import type { LoadPlaces } from './load-settings.ts'
import type { RunningHooks } from './quarantine/running-hooks.ts'
import type { Settings } from './settings.ts'
import type { HookSwitches } from './switches/hook-switches.ts'

export interface WorkspaceOptions extends LoadPlaces {
  /**
   * No hooks but managed gates that deny: for when a hook hangs, or the
   * configuration is broken. Default: false.
   */
  readonly safe?: boolean
  /** Who answers, in place of the configured providers. */
  readonly models?: ModelRegistry
  readonly clock?: Clock
  /** Default: to the standard error. */
  readonly log?: OpenLog
  /** In place of the configured one. */
  readonly database?: StoreOptions['database']
  /** Goes on with turns and jobs that others have left. Default: true. */
  readonly takesOver?: boolean
  /** Where it is noted which hooks run; default: nowhere. */
  readonly running?: RunningHooks
  /**
   * The process ends with it, so that what hooks leave behind is contained to
   * the last, and not only while it is open. Default: false.
   */
  readonly isOwnProcess?: boolean
}

/** A project and all that agents in it have, as its files say now. */
export interface Workspace {
  /** The project's folder. */
  readonly root: string
  /** The state directory. */
  readonly home: string
  /** The folder of the user's own configuration. */
  readonly user: string
  /** What files say beside their hooks; another after a change. */
  readonly settings: Settings
  readonly store: Store
  readonly runtime: DurableRuntime
  /** The hooks of the files; its state says why what runs is something else. */
  readonly hooks: OpenedHooks
  readonly switches: HookSwitches
  /** What files can use by name. */
  readonly catalogue: KnownHooks
  readonly questions: UserQuestions
  /** Tasks that agents hand on and do not wait for. */
  readonly background: BackgroundTasks
  /** What signs audit records and approvals; absent: nothing does. */
  readonly auditKey: string | undefined
  /** The ends of the audit log as they were written down beside the store. */
  readonly anchors: () => Promise<readonly AuditHead[]>
  readonly skills: SkillsPlugin | undefined
  readonly mcp: McpPlugin | undefined
  readonly log: Log
  readonly isSafe: boolean
  /** Sections that were changed since, and count when the daemon is started again. */
  readonly needsRestart: readonly string[]
  /** Which plugin a hook is of, if it is of one. */
  readonly pluginOf: (hook: string) => string | undefined
  /** Hears of every change of files, also of one that is not taken. */
  onChange(listener: (state: HooksState) => void): () => void
  /** Reads everything again, now; settles when it holds, or was refused. */
  reload(): Promise<HooksState>
  /** Waits for work, and ends all hooks where that takes longer: none is waited for then. */
  endInTime(work: Promise<unknown>, graceMs: number): Promise<void>
  close(): Promise<void>
}
