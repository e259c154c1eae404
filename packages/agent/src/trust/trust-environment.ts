import { homedir } from 'node:os'
import { isAbsolute, join } from 'node:path'
import { isHash } from './trust-book.ts'
import { visibleText } from './visible-text.ts'

const maxShown = 80

export interface NamedHashes {
  readonly hashes: ReadonlySet<string>
  readonly problems: readonly string[]
}

/** Where the trust of a user is kept. */
export function stateFolder(
  environment: Readonly<Record<string, string | undefined>>,
): string {
  const set = environment['XDG_STATE_HOME'] ?? ''
  // A relative one would be within the folder that is worked in.
  const base = isAbsolute(set) ? set : join(homedir(), '.local', 'state')
  return join(base, 'hookline')
}

/** Those that `HOOKLINE_TRUST` names. */
export function hashesIn(
  environment: Readonly<Record<string, string | undefined>>,
): readonly string[] {
  const list = environment['HOOKLINE_TRUST'] ?? ''
  return list.split(/[\s,]+/).filter((word) => word !== '')
}

/** Hashes that count for this process alone, and what is wrong with them. */
export function readHashes(given: readonly string[]): NamedHashes {
  const problems = given
    .filter((word): boolean => !isHash(word))
    .map((word) => {
      const shown = visibleText(word.slice(0, maxShown))
      return `"${shown}" is no hash, so that it trusts nothing; write all 64 digits of one in HOOKLINE_TRUST.`
    })
  return { hashes: new Set(given.filter(isHash)), problems }
}
