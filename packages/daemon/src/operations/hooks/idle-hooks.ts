import type { ConfiguredHook, TrustItem } from '@hookline/agent/config'
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
  const { config, untrusted } = sources.state
  const waiting = new Map(untrusted.map((item) => [item.name, item]))
  const own = config.hooks
    .filter(({ name }) => !isPlanned(name))
    .flatMap((hook) => idleHook(hook, waiting.get(hook.name)))
  const names = new Set(config.hooks.map(({ name }) => name))
  const foreign = untrusted
    .filter(({ name }) => !names.has(name) && !isPlanned(name))
    .map(foreignHook)
  return [...own, ...foreign]
}

function idleHook(
  hook: ConfiguredHook,
  waiting: TrustItem | undefined,
): readonly ListedHook[] {
  const described = describeDefinition(hook)
  if (described === undefined) return []
  const disabledBy = whyIdle(hook, waiting)
  const source = fileSource(hook)
  return [listedHook(described, { source, disabledBy, written: hook })]
}

function whyIdle(
  { definition, disabledBy }: ConfiguredHook,
  waiting: TrustItem | undefined,
): string {
  if (disabledBy !== undefined) {
    const { layer, file, line } = disabledBy
    return `${layer} (${file}:${line})`
  }
  if (definition.disabled) return 'its own definition'
  return waiting === undefined
    ? 'an earlier table is in place'
    : untrustedWords(waiting)
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
    failure: 'open',
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
