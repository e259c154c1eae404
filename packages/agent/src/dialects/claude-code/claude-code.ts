import { buildHooks } from '../build-hooks.ts'
import type { Dialect } from '../dialect.ts'
import { loadRegexEngine } from '../foreign-regex.ts'
import { claudeFacts } from './claude-facts.ts'
import { events, readFile } from './read-file.ts'
import { combineFiles } from './settings.ts'

/** Hooks of Claude Code, from its settings and its plugins. */
export const claudeCode: Dialect = {
  name: 'claude-code',
  events,
  readFile,
  combine: combineFiles,
  async toHooks(foreign, parts) {
    return buildHooks(claudeFacts(await loadRegexEngine()), foreign, parts)
  },
}
