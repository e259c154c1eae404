import type { ConfiguredHook } from '@hookline/agent/config'
import type { ListedHook } from '../../protocol/schemas/hooks.ts'
import type { Workspace } from '../../reload/workspace.ts'

/** One thing about a hook that was looked at. */
export interface Check {
  name: string
  level: 'ok' | 'warning' | 'error'
  message: string
}

/** A hook with all that is known of it. */
export interface CheckedHook {
  readonly hook: ListedHook
  /** As its file has it; undefined where it is of no file of ours. */
  readonly written: ConfiguredHook | undefined
  readonly workspace: Workspace
}
