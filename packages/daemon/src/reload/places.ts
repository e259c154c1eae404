import { homedir } from 'node:os'
import { isAbsolute, join, resolve } from 'node:path'
import { type ConfigPlaces, configFolders } from '@hookline/agent/config'

export type Environment = Readonly<Record<string, string | undefined>>

/**
 * Where the daemon keeps what it knows: `$HOOKLINE_HOME`, else
 * `$XDG_STATE_HOME/hookline`, else `~/.local/state/hookline`.
 */
export function homeFolder(env: Environment): string {
  const own = env['HOOKLINE_HOME'] ?? ''
  if (own !== '') return resolve(own)
  const set = env['XDG_STATE_HOME'] ?? ''
  // A relative one would be within the folder that is worked in.
  const base = isAbsolute(set) ? set : join(homedir(), '.local', 'state')
  return join(base, 'hookline')
}

/** Where the user's own configuration is. */
export function userFolder(places: ConfigPlaces): string {
  const found = configFolders(places).find(({ layer }) => layer === 'user')
  return found?.folder ?? resolve('.')
}
