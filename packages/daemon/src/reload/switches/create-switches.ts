import type { SwappedHooks } from '@hookline/agent/config'
import type { Audit } from '@hookline/agent/durable'
import {
  compileTable,
  type Hook,
  type TableOptions,
  type Timer,
} from 'hookline'
import { isQuarantined, quarantineWords } from '../quarantine/quarantine.ts'
import type { LeftHooks } from '../quarantine/running-hooks.ts'
import { arrangeHooks } from './arrange-hooks.ts'
import { checkSwitch, checkUntil } from './check-switch.ts'
import { closedGates, isGate } from './denying-gates.ts'
import type {
  AllOff,
  AllOffOutcome,
  HookSwitch,
  HookSwitches,
  PreviewedHooks,
  SwitchedHook,
  SwitchesState,
  SwitchOutcome,
} from './hook-switches.ts'
import { KeptSwitches, type KeptSwitchesOptions } from './kept-switches.ts'
import {
  nextEnd,
  noSwitches,
  oneAfterAnother,
  type SwitchChange,
  withAllOff,
  withCrashes,
  withHook,
  withoutCrashes,
  withoutEnded,
} from './switch-changes.ts'
import { neededHook } from './switch-error.ts'
import { shortened, switchedHook } from './switched-hook.ts'

type HookSet = Pick<SwappedHooks, 'hooks' | 'managed' | 'options'>

export interface SwitchesOptions extends Omit<KeptSwitchesOptions, 'onKept'> {
  readonly audit: Pick<Audit, 'record'>
  /** What ran when the process before this one died; default: nothing. */
  readonly left?: LeftHooks
  /** Puts a table in place, and throws if it cannot. */
  readonly swap: (hooks: readonly Hook[], options: TableOptions) => void
}

/** The switches, for whoever has the hooks that they are about. */
export interface OpenSwitches extends HookSwitches {
  /** Puts other hooks in place, as they are switched; throws if it cannot. */
  take(set: HookSet): void
  close(): Promise<void>
}

/** Timers of more than 24 days fire at once. */
const longestMs = 86_400_000

export async function createSwitches(
  options: SwitchesOptions,
): Promise<OpenSwitches> {
  const switches = new Switches(options)
  await switches.open()
  return switches
}

class Switches implements OpenSwitches {
  readonly #options: SwitchesOptions
  readonly #kept: KeptSwitches
  readonly #listeners = new Set<(state: SwitchesState) => void>()
  #set: HookSet = { hooks: [], managed: new Set(), options: {} }
  #state: SwitchesState = noSwitches
  #timer: Timer | undefined

  constructor(options: SwitchesOptions) {
    this.#options = options
    const onKept = () => this.#follow()
    this.#kept = new KeptSwitches({ ...options, onKept })
  }

  async open(): Promise<void> {
    await this.#kept.open()
    this.#state = this.#newest()
    await this.#noteCrash()
    this.#waitForEnd()
  }

  quarantineOf(name: string): string | undefined {
    const crashes = this.#state.crashes?.find((one) => one.name === name)
    const isHeld = crashes !== undefined && isQuarantined(crashes)
    return isHeld ? quarantineWords(crashes) : undefined
  }

  get state(): SwitchesState {
    return this.#state
  }

  get hooks(): readonly Hook[] {
    return this.#set.hooks
  }

  of(name: string): SwitchedHook | undefined {
    return this.#state.hooks.find((one) => one.name === name)
  }

  isManaged(name: string): boolean {
    return this.#set.managed.has(name)
  }

  onChange(listener: (state: SwitchesState) => void): () => void {
    this.#listeners.add(listener)
    return () => void this.#listeners.delete(listener)
  }

  take(set: HookSet): void {
    // What does not run now has to be right, too: it will run later.
    if (this.#state.allOff) compileTable(set.hooks, set.options)
    this.#options.swap(arrangeHooks(set, this.#state), set.options)
    this.#set = set
  }

  preview(change: HookSwitch): PreviewedHooks {
    const { next } = this.#plan(change, '')
    const hooks = arrangeHooks(this.#set, next(this.#state))
    return { hooks, options: this.#set.options }
  }

  async set(
    given: HookSwitch | readonly HookSwitch[],
    by: string,
  ): Promise<SwitchOutcome> {
    const plans = [given].flat().map((one, more) => this.#plan(one, by, more))
    const next = oneAfterAnother(plans.map((plan) => plan.next))
    try {
      this.#show(next(this.#state))
    } catch (error) {
      throw neededHook(plans.map(({ hook }) => hook.name).join('", "'), error)
    }
    for (const { body } of plans) this.#record('hooks.switched', by, body)
    return await this.#keep(next)
  }

  /** What somebody wants, as a change; throws where they must not. */
  #plan(change: HookSwitch, by: string, more = 0) {
    const { name } = change
    const at = this.#now()
    const before = this.of(name)
    checkSwitch(change, {
      isKnown: this.#set.hooks.some((one) => one.name === name),
      isManaged: this.isManaged(name),
      isSwitched: before !== undefined,
      count: this.#state.hooks.length + more,
      now: at,
    })
    const hook = switchedHook(change, before, { by, at })
    const lifts = change.isEnabled === true
    const next: SwitchChange = (state) =>
      withHook(hook)(lifts ? withoutCrashes(name)(state) : state)
    const { isEnabled = change.isEnabled, mode, until, reason } = hook
    return { next, hook, body: { name, isEnabled, mode, until, reason } }
  }

  async disableAll(
    {
      until,
      reason,
    }: { readonly until: number; readonly reason?: string | undefined },
    by: string,
  ): Promise<AllOffOutcome> {
    const at = this.#now()
    checkUntil(until, at)
    const given = reason === undefined ? {} : { reason: shortened(reason) }
    const allOff: AllOff = { until, by, at, ...given }
    const next = withAllOff(allOff)
    const { hooks, managed } = this.#set
    const denying = hooks.filter(
      (hook) => managed.has(hook.name) && isGate(hook),
    ).length
    this.#show(next(this.#state))
    const figures = { disabled: hooks.length - denying, denying }
    this.#record('hooks.all-off', by, { until, ...given, ...figures })
    return { ...figures, ...(await this.#keep(next)) }
  }

  async enableAll(by: string): Promise<SwitchOutcome> {
    const next = withAllOff(undefined)
    this.#show(next(this.#state))
    this.#record('hooks.all-on', by, {})
    return await this.#keep(next)
  }

  async close(): Promise<void> {
    this.#timer?.stop()
    await this.#kept.close()
  }

  /** What ran when a process died is held against it, here and elsewhere. */
  async #noteCrash(): Promise<void> {
    const { left = { names: [], stalled: [] } } = this.#options
    const { names } = left
    if (names.length === 0) return
    const before = names.filter((name) => this.quarantineOf(name) === undefined)
    await this.#keep(withCrashes(left, this.#now()))
    this.#state = this.#newest()
    this.#options.log.warn('hooks-left-running', { hooks: names })
    for (const name of before) {
      const reason = this.quarantineOf(name)
      if (reason === undefined) continue
      this.#record('hooks.quarantined', 'daemon', { name, reason })
    }
  }

  /** Has it hold here; throws where the table would not do, and changes nothing. */
  #show(state: SwitchesState): void {
    const { options } = this.#set
    this.#options.swap(arrangeHooks(this.#set, state), options)
    this.#state = state
    this.#waitForEnd()
    for (const listener of [...this.#listeners]) this.#tell(listener)
  }

  #tell(listener: (state: SwitchesState) => void): void {
    try {
      listener(this.#state)
    } catch (error) {
      this.#options.log.error('listener-failed', { error })
    }
  }

  async #keep(change: SwitchChange): Promise<SwitchOutcome> {
    const now = this.#now()
    const problem = await this.#kept.change((state) =>
      change(withoutEnded(now)(state)),
    )
    return problem === undefined ? { isKept: true } : { isKept: false, problem }
  }

  /** What is kept is another, or something has come to its end. */
  #follow(): void {
    const next = this.#newest()
    if (JSON.stringify(next) === JSON.stringify(this.#state)) return
    try {
      this.#show(next)
    } catch (error) {
      this.#options.log.error('switches-refused', { error })
      this.#fallBack(next)
    }
  }

  /** Rather all hooks as they are written than some that are not asked. */
  #fallBack({ allOff }: SwitchesState): void {
    try {
      this.#show(allOff ? { hooks: [], allOff } : noSwitches)
    } catch (error) {
      this.#options.log.error('hooks-closed', { error })
      const reason =
        'The hooks could not be put back in place; have the daemon reload them.'
      this.#options.swap(closedGates(reason), {})
    }
  }

  #newest(): SwitchesState {
    return withoutEnded(this.#now())(this.#kept.state)
  }

  #waitForEnd(): void {
    this.#timer?.stop()
    const end = nextEnd(this.#state)
    if (end === Infinity) return
    const ms = Math.min(Math.max(end - this.#now(), 0), longestMs)
    this.#timer = this.#options.clock.after(ms, () => this.#endSome())
    this.#timer.hold(false)
  }

  #endSome(): void {
    const before = this.#state
    this.#follow()
    this.#waitForEnd()
    if (before === this.#state) return
    const isOn = before.allOff !== undefined && !this.#state.allOff
    this.#options.log.info('switches-ended', { isOn })
    this.#record('hooks.switches-ended', 'daemon', { isOn })
  }

  #record(kind: string, actor: string, body: Record<string, unknown>): void {
    this.#options.log.warn(kind.replace('.', '-'), { by: actor, ...body })
    try {
      this.#options.audit.record({ kind, actor, body })
    } catch (error) {
      // In an emergency it holds all the same; the log has said so.
      this.#options.log.error('audit-unavailable', { kind, error })
    }
  }

  #now(): number {
    const { clock } = this.#options
    return Math.floor(clock.wallAt(clock.now()))
  }
}
