import type { Hook, Mode, TableOptions } from 'hookline'
import type { HookCrashes } from '../quarantine/quarantine.ts'

/** How one hook is to be from now on. */
export interface HookSwitch {
  readonly name: string
  readonly isEnabled?: boolean | undefined
  readonly mode?: Mode | undefined
  /** When it is as before, in milliseconds since 1970; absent: when somebody says so. */
  readonly until?: number | undefined
  readonly reason?: string | undefined
}

/** A hook that somebody has switched. */
export interface SwitchedHook extends HookSwitch {
  /** Who did it, and when. */
  readonly by: string
  readonly at: number
}

/** No hook runs, and gates that are managed deny. */
export interface AllOff {
  readonly until: number
  readonly reason?: string | undefined
  readonly by: string
  readonly at: number
}

export interface SwitchesState {
  readonly hooks: readonly SwitchedHook[]
  readonly allOff?: AllOff | undefined
  /** Which hooks ran when a daemon died; some are in quarantine for it. */
  readonly crashes?: readonly HookCrashes[] | undefined
}

/** What became of a change: it holds here at once, whatever the store says. */
export interface SwitchOutcome {
  /** It holds for other processes, and after a restart, too. */
  readonly isKept: boolean
  /** Why it is not kept yet; it is tried again until it is. */
  readonly problem?: string
}

export interface AllOffOutcome extends SwitchOutcome {
  /** How many hooks do not run. */
  readonly disabled: number
  /** How many managed gates deny in their place. */
  readonly denying: number
}

/** What would run after a change, for whoever makes tables of it. */
export interface PreviewedHooks {
  readonly hooks: readonly Hook[]
  readonly options: TableOptions
}

/** Hooks switched on and off by hand, over what files say. */
export interface HookSwitches {
  readonly state: SwitchesState
  /** All hooks that there are, as they are written, whether they run or not. */
  readonly hooks: readonly Hook[]
  /** How a hook was switched, if it was. */
  of(name: string): SwitchedHook | undefined
  /** Why a hook is not to run until somebody switches it on, if that is so. */
  quarantineOf(name: string): string | undefined
  /** Nobody may switch it off. */
  isManaged(name: string): boolean
  /**
   * Switches one hook, or several at once. Throws a `SwitchError` where there is
   * none of that name, it is managed, or others could not run without it; then
   * nothing changes.
   */
  set(
    given: HookSwitch | readonly HookSwitch[],
    by: string,
  ): Promise<SwitchOutcome>
  /** What `set` would put in place; throws as that does, and changes nothing. */
  preview(change: HookSwitch): PreviewedHooks
  /** Switches all off until then. Never throws because of a hook. */
  disableAll(
    order: { readonly until: number; readonly reason?: string | undefined },
    by: string,
  ): Promise<AllOffOutcome>
  /** Ends that; what was switched one by one stays. */
  enableAll(by: string): Promise<SwitchOutcome>
  /** Calls back whenever it is another, whoever changed it. */
  onChange(listener: (state: SwitchesState) => void): () => void
}
