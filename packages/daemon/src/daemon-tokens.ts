import type { Settings } from './reload/settings.ts'
import type { Home } from './server/home.ts'
import { findByHash, hashToken, ownerName } from './server/principal.ts'
import type { Tokens } from './server/principals.ts'

/** Whoever the home knows, and whoever the settings name. */
export function tokensOf(
  { principals }: Home,
  settings: () => Settings,
): Tokens {
  const callerByHash: Tokens['callerByHash'] = (hash) => {
    const known = principals.callerByHash(hash)
    if (known !== undefined) return known
    // Nobody else is the owner, whatever a file calls them.
    const named = settings().daemon.principals.filter(
      ({ name }) => name !== ownerName,
    )
    const found = findByHash(named, hash)
    if (found === undefined) return undefined
    const { name: id, kind, rights } = found
    return { kind, id, rights: new Set(rights) }
  }
  return { callerByHash, callerOf: (token) => callerByHash(hashToken(token)) }
}
