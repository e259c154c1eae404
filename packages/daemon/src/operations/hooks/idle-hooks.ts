import type { ConfiguredHook, TrustItem } from '@hookline/agent/config'
import { isUse, type UseDefinition } from '@hookline/agent/handlers'
import type { ListedHook } from '../../protocol/schemas/hooks.ts'
import { describeDefinition } from './describe-definition.ts'
import { fileSource, type HookSources } from './hook-source.ts'
import { listedHook } from './listed-hook.ts'
import { reachOf } from './what-it-reaches.ts'

/** Hooks that are written somewhere and in no table, with why that is so. */
export function idleHooks(
  sources: HookSources,
  isPlanned: (name: string) => boolean,
): readonly ListedHook[] {
  const { config, untrusted, refusal } = sources.state
  const waiting = new Map(untrusted.map((item) => [item.name, item]))
  const own = config.hooks
    .filter(({ name }) => !isPlanned(name))
    .flatMap((hook) => {
      const why = whyIdle(hook, waiting.get(hook.name), refusal)
      return idleHook(hook, why)
    })
  const names = new Set(config.hooks.map(({ name }) => name))
  const foreign = untrusted
    .filter(({ name }) => !names.has(name) && !isPlanned(name))
    .map(foreignHook)
  return [...own, ...foreign]
}

function idleHook(
  hook: ConfiguredHook,
  disabledBy: string,
): readonly ListedHook[] {
  const { name, definition } = hook
  if (isUse(definition)) return [idleUse(hook, definition, disabledBy)]
  const described = describeDefinition({ name, definition })
  if (described === undefined) return []
  const source = fileSource(hook)
  return [listedHook(described, { source, disabledBy, written: hook })]
}

/** What its hooks are is known when they are made, and they are not. */
function idleUse(
  hook: ConfiguredHook,
  { use, priority = 100, mode = 'enforce', timeoutMs }: UseDefinition,
  disabledBy: string,
): ListedHook {
  const asItSays = 'as its entry says'
  return {
    name: hook.name,
    point: 'those of its entry',
    handler: { id: use, kind: 'use' },
    source: fileSource(hook),
    ...{ priority, mode, execution: asItSays, onFailure: asItSays },
    ...(timeoutMs !== undefined && { timeoutMs }),
    visibility: 'internal',
    matcher: asItSays,
    capabilities: [],
    reaches: reachOf('use', hook.definition),
    isEnabled: false,
    disabledBy,
    isManaged: hook.layer === 'managed',
  }
}

function whyIdle(
  { definition, disabledBy }: ConfiguredHook,
  waiting: TrustItem | undefined,
  refusal: string | undefined,
): string {
  if (disabledBy !== undefined) {
    const { layer, file, line } = disabledBy
    return `${layer} (${file}:${line})`
  }
  if (definition.disabled) return 'its own definition'
  if (waiting !== undefined) return untrustedWords(waiting)
  return isUse(definition) && refusal === undefined
    ? 'its options ask for nothing'
    : 'an earlier table is in place'
}

function untrustedWords({ hash, state }: TrustItem): string {
  return state === 'changed'
    ? `nobody trusts it as it is now (${hash})`
    : `nobody trusts it (${hash})`
}

/** A handler of another product's file; its point is that of its event. */
function foreignHook(item: TrustItem): ListedHook {
  const { name } = item
  const [file = ''] = name.split('#')
  const [, event = 'unknown'] = /#([\w.-]+)/.exec(name) ?? []
  return {
    name,
    point: event,
    handler: { id: name, kind: 'dialect' },
    source: { kind: 'dialect', ...(file !== '' && { file }) },
    priority: 100,
    execution: 'blocking',
    onFailure: 'open',
    mode: 'enforce',
    visibility: 'internal',
    matcher: 'as its file says',
    capabilities: [],
    reaches: reachOf('dialect', undefined),
    isEnabled: false,
    disabledBy: untrustedWords(item),
    isManaged: false,
  }
}
