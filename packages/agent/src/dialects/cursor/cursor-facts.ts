import type { JsonObject } from 'hookline/lifecycle'
import type { DialectParts } from '../dialect.ts'
import type { DialectFacts } from '../dialect-facts.ts'
import type { RegexEngine } from '../foreign-regex.ts'
import { keep } from '../keep.ts'
import { capabilities } from './capabilities.ts'
import { compileMatcher } from './match.ts'
import { moments } from './moments.ts'
import { promptOf } from './prompt.ts'
import { readOutput } from './read-output.ts'
import { stdinOf, version } from './stdin.ts'

/** The notes know no default. */
const defaultTimeoutMs = 60_000

/** What makes hooks of Cursor what they are. */
export function cursorFacts(
  regex: RegexEngine,
  { isStrict = false }: DialectParts,
): DialectFacts {
  const variables = new Map<string, Readonly<Record<string, string>>>()
  const setEnv = (sessionId: string, env: JsonObject) => {
    const texts = Object.entries(env).flatMap(([name, value]) =>
      typeof value === 'string' ? [[name, value] as const] : [],
    )
    const before = variables.get(sessionId)
    keep(variables, sessionId, { ...before, ...Object.fromEntries(texts) })
  }
  return {
    name: 'cursor',
    moments,
    compileMatch: (hook) => compileMatcher(hook, regex).isMeant,
    compileSureMatch: (hook) => compileMatcher(hook, regex).isSurelyMeant,
    stdin: stdinOf,
    env: (_hook, { sessionId, transcriptPath }, { projectDir, env }) => ({
      ...variables.get(sessionId),
      CURSOR_PROJECT_DIR: projectDir,
      CURSOR_VERSION: version,
      CURSOR_USER_EMAIL: env['CURSOR_USER_EMAIL'] ?? '',
      CURSOR_TRANSCRIPT_PATH: transcriptPath,
      CURSOR_CODE_REMOTE: 'false',
      CLAUDE_PROJECT_DIR: projectDir,
    }),
    timeoutMs: ({ timeoutMs }) => timeoutMs ?? defaultTimeoutMs,
    read: (end, hook, moment) =>
      readOutput(end, hook, moment, { isStrict, setEnv }),
    blocked: (reason, { event }) =>
      capabilities[event]?.includes('deny') ? { decision: 'deny', reason } : {},
    prompt: promptOf,
    endSession: (sessionId) => void variables.delete(sessionId),
    failsClosed: ({ flags }) => flags['failClosed'] === true,
  }
}
