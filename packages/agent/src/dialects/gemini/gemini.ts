import { buildHooks } from '../build-hooks.ts'
import type { Dialect } from '../dialect.ts'
import { loadRegexEngine } from '../foreign-regex.ts'
import { geminiFacts } from './gemini-facts.ts'
import { events, readFile } from './read-file.ts'

/** Hooks of Gemini CLI: the `hooks` of a `settings.json`. */
export const gemini: Dialect = {
  name: 'gemini',
  events,
  readFile,
  toHooks: async (foreign, parts) =>
    buildHooks(geminiFacts(await loadRegexEngine(), parts), foreign, parts),
}
