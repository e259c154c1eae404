import { type Inspection, sourceOf } from '@hookline/agent/config'
import type { Workspace } from './workspace.ts'

/**
 * The user's own hooks, and which of them the user was not shown before: an
 * install script can write one there, and it runs without being trusted.
 */
export function inspectOwn({ hooks, user }: Workspace): Inspection {
  const sources = hooks.state.config.hooks
    .filter(({ layer }) => layer === 'user')
    .map(({ definition, name, folder }) =>
      sourceOf(definition, { name, folder }),
    )
  return hooks.trust.inspect(user, sources)
}
