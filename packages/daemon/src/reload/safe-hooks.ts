import {
  type ConfiguredHook,
  type HooksState,
  type LoadedConfig,
  loadLinearRegex,
  type OpenedHooks,
  type SwappedHooks,
  type Trust,
} from '@hookline/agent/config'
import { isUse } from '@hookline/agent/handlers'
import type { Hook, Point } from 'hookline'
import { points } from 'hookline/lifecycle'
import type { KnownHooks } from './known-hooks.ts'
import { closedGates, denyingGate, isGate } from './switches/denying-gates.ts'

export interface SafeOptions {
  /** Reads files, and runs none of them. */
  readonly load: () => Promise<LoadedConfig>
  readonly trust: Trust
  readonly catalogue: KnownHooks
  /** What else is to be said of the mode, as a sentence. */
  readonly note?: string | undefined
  readonly swap: (set: SwappedHooks) => void
  readonly onChange: (state: HooksState) => void
}

const said =
  'The daemon runs in safe mode: no hook runs, and managed gates deny.'

const reason =
  'The daemon runs in safe mode, where a managed gate denies; start it without --safe when the hooks are right again.'

/**
 * In place of all hooks: gates that deny what managed ones would have judged.
 * No hook is opened and no code is run, so that nothing of it can hang.
 */
export async function openSafeHooks(
  options: SafeOptions,
): Promise<OpenedHooks> {
  const { load, trust, catalogue, note, swap, onChange } = options
  const read = async (): Promise<HooksState> => {
    const config = await load()
    const regex = await loadLinearRegex()
    const hooks = gatesOf(config, await hasManagedUse(config, catalogue))
    const managed = new Set(hooks.map(({ name }) => name))
    swap({ hooks, managed, config, options: { match: { regex } } })
    const state: HooksState = {
      config,
      untrusted: [],
      problems: config.problems,
      doubts: [],
      findings: [],
      keptFiles: [],
      refusal: [said, ...(note === undefined ? [] : [note])].join(' '),
    }
    onChange(state)
    return state
  }
  let state = await read()
  const reload = async () => {
    state = await read()
    return state
  }
  return {
    get state() {
      return state
    },
    trust,
    reload,
    async accept(hashes) {
      await trust.trust(hashes)
      return await reload()
    },
    close: async () => {},
  }
}

/** Whether something managed may judge that only its own code could tell of. */
async function hasManagedUse(
  { hooks }: LoadedConfig,
  catalogue: KnownHooks,
): Promise<boolean> {
  const uses = hooks.flatMap(({ layer, definition }) => {
    const isOn = !definition.disabled && definition.mode !== 'evaluate'
    return layer === 'managed' && isOn && isUse(definition) ? [definition] : []
  })
  if (uses.length === 0) return false
  const entries = await catalogue()
  return uses.some(({ use }) => {
    return entries.find(({ name }) => name === use)?.isObserver !== true
  })
}

function gatesOf(
  { fatal, hooks, dialects }: LoadedConfig,
  isUsed: boolean,
): readonly Hook[] {
  const isForeign = dialects.some(({ layer }) => layer === 'managed')
  // Which gates those would be is not known.
  if (fatal !== undefined || isForeign || isUsed) {
    const why =
      fatal === undefined
        ? reason
        : `What is managed cannot be read (${fatal.file}), so that no session may go on; have it mended.`
    return closedGates(why)
  }
  return hooks.flatMap((hook) => gateOf(hook) ?? [])
}

function gateOf({ name, layer, definition }: ConfiguredHook): Hook | undefined {
  if (isUse(definition)) return undefined
  const { on, match, mode, execution, disabled, visibility } = definition
  const point: Point | undefined = Object.hasOwn(points, on)
    ? points[on as keyof typeof points]
    : undefined
  if (layer !== 'managed' || point === undefined) return undefined
  const planned: Hook = {
    name,
    on: point,
    // What a file says there was checked for its point.
    ...(match !== undefined && { match: match as Hook['match'] }),
    ...(mode !== undefined && { mode }),
    ...(execution !== undefined && { execution }),
    ...(disabled !== undefined && { disabled }),
    ...(visibility !== undefined && { visibility }),
    run: () => ({ type: 'proceed' }),
  } as Hook
  return isGate(planned) ? denyingGate(planned, reason) : undefined
}
