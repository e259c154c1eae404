import type { ConfiguredHook, HooksState } from '@hookline/agent/config'
import { isUse } from '@hookline/agent/handlers'
import type { ListedHook } from '../../protocol/schemas/hooks.ts'
import { closedGate } from '../../reload/switches/denying-gates.ts'

/** Where hooks are written, by what the configuration and the plugins say. */
export interface HookSources {
  readonly state: HooksState
  readonly pluginOf: (hook: string) => string | undefined
  readonly isManaged: (hook: string) => boolean
}

/** As it is planned, or as it is told to callers. */
type NamedHook = Pick<ListedHook, 'name' | 'handler'>

type Source = ListedHook['source']

/** Where a hook is written: a file and its line, a plugin, or code. */
export function sourceOfHook(
  hook: NamedHook,
  { state, pluginOf }: HookSources,
): Source {
  const { name, handler } = hook
  const own = writtenHook(hook, { state })
  if (own !== undefined) return fileSource(own)
  const [prefix = ''] = name.split(':')
  const dialect = state.config.dialects.find((one) => one.dialect === prefix)
  if (dialect !== undefined) {
    const { file, layer } = dialect
    return { kind: 'dialect', name: prefix, file, layer }
  }
  if (handler.kind === 'dialect') return { kind: 'dialect', name: prefix }
  const plugin = pluginOf(name)
  return plugin === undefined
    ? { kind: 'code' }
    : { kind: 'plugin', name: plugin }
}

/** As a file of ours has it, if one does; or the use that it is of. */
export function writtenHook(
  { name, handler }: NamedHook,
  { state: { config } }: Pick<HookSources, 'state'>,
): ConfiguredHook | undefined {
  const isOfUse = handler.kind === 'use' || handler.id === closedGate
  const [use] = name.split(':')
  return (
    config.hooks.find((hook) => hook.name === name) ??
    config.hooks.find(({ name: written, definition }) => {
      return isOfUse && written === use && isUse(definition)
    })
  )
}

export function fileSource({
  name: use,
  definition,
  file,
  line,
  layer,
}: ConfiguredHook): Source {
  return {
    ...{ kind: 'file', file, line, layer },
    ...(isUse(definition) && { use }),
  }
}
