import { buildHooks } from '../build-hooks.ts'
import type { Dialect } from '../dialect.ts'
import { events, readFile } from './read-file.ts'
import { vsCodeFacts } from './vs-code-facts.ts'

/** Hooks of agents in VS Code. */
export const vsCode: Dialect = {
  name: 'vs-code',
  events,
  readFile,
  toHooks: async (foreign, parts) => buildHooks(vsCodeFacts, foreign, parts),
}
