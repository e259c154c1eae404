import type { ConfiguredHook, HooksState } from '@hookline/agent/config'
import type { HookDescriptor } from 'hookline'
import type { ListedHook } from '../../protocol/schemas/hooks.ts'

/** Where hooks are written, by what the configuration and the plugins say. */
export interface HookSources {
  readonly state: HooksState
  readonly pluginOf: (hook: string) => string | undefined
  readonly isManaged: (hook: string) => boolean
}

type Source = ListedHook['source']

/** Where a hook is written: a file and its line, a plugin, or code. */
export function sourceOfHook(
  { name, handler }: Pick<HookDescriptor, 'name' | 'handler'>,
  { state, pluginOf }: HookSources,
): Source {
  const own = writtenHook(name, { state })
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

/** As a file of ours has it, if one does. */
export function writtenHook(
  name: string,
  { state }: Pick<HookSources, 'state'>,
): ConfiguredHook | undefined {
  return state.config.hooks.find((hook) => hook.name === name)
}

export function fileSource({ file, line, layer }: ConfiguredHook): Source {
  return { kind: 'file', file, line, layer }
}
