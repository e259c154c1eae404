import { buildHooks } from '../build-hooks.ts'
import type { Dialect } from '../dialect.ts'
import { loadRegexEngine } from '../foreign-regex.ts'
import { hooksThatParse } from './args-form.ts'
import { copilotFacts } from './copilot-facts.ts'
import { events, readFile } from './read-file.ts'

/** Hooks of GitHub Copilot CLI and its cloud agent. */
export const copilot: Dialect = {
  name: 'copilot',
  events,
  readFile,
  async toHooks(foreign, parts) {
    const parsing = await hooksThatParse(foreign, parts.projectDir)
    const facts = copilotFacts(await loadRegexEngine(), parsing)
    return buildHooks(facts, foreign, parts)
  },
}
