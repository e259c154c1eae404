import {
  compileTable,
  type Hook,
  type HookDescriptor,
  type Table,
} from 'hookline'
import { points } from 'hookline/lifecycle'
import type { InputOf } from '../../protocol/operations.ts'
import type { ListedHook } from '../../protocol/schemas/hooks.ts'
import type { Workspace } from '../../reload/workspace.ts'
import type { OperationService } from '../../service/service-parts.ts'
import {
  type PlannedDescriptor,
  plannedHooks,
  tablesOf,
} from './agent-tables.ts'
import { hookSources } from './find-sources.ts'
import { type HookSources, sourceOfHook, writtenHook } from './hook-source.ts'
import { idleHooks } from './idle-hooks.ts'
import { listedHook } from './listed-hook.ts'
import { whyOff } from './why-off.ts'

export function listHookOperations(
  workspace: Workspace,
): Pick<OperationService, 'listHooks'> {
  return {
    listHooks: (input) => ({
      items: [...listHooks(workspace, input)],
      points: Object.keys(points),
    }),
  }
}

/** All hooks: those that run, in their order, and those that do not, and why. */
export function listHooks(
  workspace: Workspace,
  { agent, point }: InputOf<'listHooks'> = {},
): readonly ListedHook[] {
  const sources = hookSources(workspace)
  const planned = plannedHooks(tablesOf(workspace, agent))
  const listed = [...planned.values()].map((one) =>
    plannedHook(workspace, sources, one),
  )
  const left = workspace.switches.hooks
    .filter(({ name }) => !planned.has(name))
    .flatMap((hook) => switchedOff(workspace, sources, hook))
  const names = new Set([...listed, ...left].map(({ name }) => name))
  const uses = new Set([...listed, ...left].map(({ source: { use } }) => use))
  const idle = idleHooks(sources, (name) => names.has(name) || uses.has(name))
  return [...listed, ...left, ...idle]
    .filter((hook) => point === undefined || hook.point === point)
    .toSorted(byPlace)
}

function plannedHook(
  workspace: Workspace,
  sources: HookSources,
  { hook, order }: PlannedDescriptor,
): ListedHook {
  const isHeld = workspace.switches.quarantineOf(hook.name) !== undefined
  const isOff = hook.disabled || order === undefined || isHeld
  return listedHook(hook, {
    source: sourceOfHook(hook, sources),
    order: isOff ? undefined : order,
    disabledBy: isOff ? whyOff(workspace, hook.name) : undefined,
    isManaged: sources.isManaged(hook.name),
    written: writtenHook(hook, sources),
  })
}

/** Written, and taken out of all tables by hand. */
function switchedOff(
  workspace: Workspace,
  sources: HookSources,
  hook: Hook,
): readonly ListedHook[] {
  const described = describe(hook)
  if (described === undefined) return []
  return [
    listedHook(described, {
      source: sourceOfHook(described, sources),
      disabledBy: whyOff(workspace, hook.name),
      isManaged: sources.isManaged(hook.name),
      written: writtenHook(described, sources),
    }),
  ]
}

function describe(hook: Hook): HookDescriptor | undefined {
  const { after: _, before: __, needs: ___, match: ____, ...alone } = hook
  let table: Table
  try {
    table = compileTable([alone as Hook]) // less of a hook is one, too
  } catch {
    return undefined
  }
  const { match } = hook
  const [first] = table.hooks
  // As descriptors print it, but for what no engine here could compile.
  return first && { ...first, match: printed(match) }
}

function printed(match: unknown): unknown {
  if (match === undefined) return 'every input'
  return typeof match === 'function' ? 'a predicate' : match
}

function byPlace(one: ListedHook, other: ListedHook): number {
  if (one.point !== other.point) return one.point < other.point ? -1 : 1
  const last = Number.MAX_SAFE_INTEGER
  return (one.order ?? last) - (other.order ?? last)
}
