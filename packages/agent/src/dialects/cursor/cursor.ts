import { buildHooks } from '../build-hooks.ts'
import type { Dialect } from '../dialect.ts'
import { loadRegexEngine } from '../foreign-regex.ts'
import { cursorFacts } from './cursor-facts.ts'
import { events, readFile } from './read-file.ts'

/** Hooks of Cursor: its `hooks.json`. */
export const cursor: Dialect = {
  name: 'cursor',
  events,
  readFile,
  toHooks: async (foreign, parts) =>
    buildHooks(cursorFacts(await loadRegexEngine(), parts), foreign, parts),
}
