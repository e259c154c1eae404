import type { ConfiguredHook } from '@hookline/agent/config'
import type { HookDescriptor } from 'hookline'
import type { ListedHook } from '../../protocol/schemas/hooks.ts'
import { executionWords } from './hook-words.ts'
import { matcherWords } from './matcher-words.ts'
import { reachOf } from './what-it-reaches.ts'

interface HookPlace {
  readonly source: ListedHook['source']
  /** Its place in the plan, from 1; absent where it is in none. */
  readonly order?: number | undefined
  /** Why it does not run. */
  readonly disabledBy?: string | undefined
  /** Nobody may switch it off. */
  readonly isManaged?: boolean
  /** As its file has it; undefined where it is of no file of ours. */
  readonly written?: ConfiguredHook | undefined
}

/** A hook as it is told to callers. */
export function listedHook(
  hook: HookDescriptor,
  { source, order, disabledBy, isManaged, written }: HookPlace,
): ListedHook {
  const { name, point, handler, priority, mode, visibility } = hook
  return {
    name,
    point,
    handler: { ...handler },
    source,
    ...(order !== undefined && { order }),
    priority,
    execution: executionWords(hook),
    timeoutMs: hook.timeoutMs,
    onFailure: hook.onFailure,
    mode,
    visibility,
    matcher: matcherWords(hook.match),
    capabilities: [...hook.capabilities],
    reaches: reachOf(handler.kind, written?.definition),
    isEnabled: disabledBy === undefined,
    ...(disabledBy !== undefined && { disabledBy }),
    isManaged: isManaged ?? source.layer === 'managed',
  }
}
