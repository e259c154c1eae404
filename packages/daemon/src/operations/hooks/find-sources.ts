import type { Workspace } from '../../reload/workspace.ts'
import type { HookSources } from './hook-source.ts'

/** What says where hooks are from, as things are now. */
export function hookSources(workspace: Workspace): HookSources {
  const { hooks, switches } = workspace
  return {
    state: hooks.state,
    pluginOf: (name) => workspace.pluginOf(name),
    isManaged: (name) => switches.isManaged(name),
  }
}
