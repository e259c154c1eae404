import { buildHooks } from '../build-hooks.ts'
import type { Dialect } from '../dialect.ts'
import { loadRegexEngine } from '../foreign-regex.ts'
import { codexFacts } from './codex-facts.ts'
import { events, readFile } from './read-file.ts'

/** Hooks of OpenAI's Codex: `hooks.json`, and `[hooks]` in a `config.toml`. */
export const codex: Dialect = {
  name: 'codex',
  events,
  readFile,
  toHooks: async (foreign, parts) =>
    buildHooks(codexFacts(await loadRegexEngine()), foreign, parts),
}
