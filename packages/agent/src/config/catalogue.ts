import { AgentError } from '../ports/agent-error.ts'
import { quote } from './problem.ts'
import type { Shape } from './shape/shape.ts'

/** What files have to know of hooks that they can use by name. */
export interface CatalogueEntry {
  readonly name: string
  readonly description: string
  readonly options: Shape<object>
  /** Nobody waits for any of its hooks. */
  readonly isObserver?: boolean
  /** Files that its hooks are made from, as the options name them. */
  readonly files?: PathsOf
  /** All that options name from the folder of their file; default: `files`. */
  readonly paths?: PathsOf
}

// biome-ignore lint/suspicious/noExplicitAny: of the options of the entry
type PathsOf = (options: any) => readonly string[]

/** Entries, or how they are loaded once a file uses one. */
export type Catalogue<Entry = CatalogueEntry> =
  | readonly Entry[]
  | (() => Promise<readonly Entry[]>)

export type OpenedCatalogue<Entry = CatalogueEntry> = () => Promise<
  readonly Entry[]
>

/** What entries and uses of them may be called, as plugins are. */
export const useNamePattern = /^[a-z][a-z0-9-]{0,63}$/

/** Loads entries when they are first asked for, and once. */
export function openCatalogue<Entry extends { readonly name: string }>(
  given: Catalogue<Entry>,
): OpenedCatalogue<Entry> {
  let loaded: Promise<readonly Entry[]> | undefined
  return async () => {
    loaded ??= load(given)
    try {
      return await loaded
    } catch (error) {
      // Another time it may be there.
      loaded = undefined
      throw error
    }
  }
}

async function load<Entry extends { readonly name: string }>(
  given: Catalogue<Entry>,
): Promise<readonly Entry[]> {
  const entries = typeof given === 'function' ? await given() : given
  const names = new Set<string>()
  for (const { name } of entries) {
    const isTaken = names.has(name)
    names.add(name)
    if (!isTaken && useNamePattern.test(name)) continue
    const problem = isTaken
      ? `Two entries of the catalogue are named ${quote(name)}; rename one.`
      : `${quote(name)} is no name of an entry; use small letters, digits and -, at most 64.`
    throw new AgentError('invalid-config', problem)
  }
  return entries
}
