import type { DialectFacts } from '../dialect-facts.ts'
import type { RegexEngine } from '../foreign-regex.ts'
import { compileMatcher } from './match.ts'
import { moments, ownNameOf } from './moments.ts'
import { failsClosed, readOutput } from './read-output.ts'
import { stdinOf } from './stdin.ts'

const gates: ReadonlySet<string> = new Set(['preToolUse', 'permissionRequest'])

/** What makes hooks of Copilot what they are: one after the other, for one. */
export function copilotFacts(
  regex: RegexEngine,
  /** The ids of hooks that want arguments as a text. */
  parsing: ReadonlySet<string> = new Set(),
): DialectFacts {
  return {
    name: 'copilot',
    moments,
    compileMatch: ({ event, matcher }) => compileMatcher(event, matcher, regex),
    stdin(hook, moment) {
      const stdin = stdinOf(hook, moment)
      const { toolArgs } = stdin
      const isText = toolArgs !== undefined && parsing.has(hook.id)
      return isText ? { ...stdin, toolArgs: JSON.stringify(toolArgs) } : stdin
    },
    env: (_hook, _moment, { projectDir }) => ({
      CLAUDE_PROJECT_DIR: projectDir,
      COPILOT_PROJECT_DIR: projectDir,
    }),
    placeholders: ({ source: { plugin } }) =>
      plugin === undefined
        ? {}
        : { PLUGIN_ROOT: plugin.root, CLAUDE_PLUGIN_ROOT: plugin.root },
    timeoutMs: ({ timeoutMs }) => timeoutMs ?? 30_000,
    read: readOutput,
    blocked: (reason, { event }) =>
      gates.has(ownNameOf(event)) ? { decision: 'deny', reason } : {},
    failsClosed,
    isSerial: () => true,
    isAsync: ({ event }) => ownNameOf(event) === 'notification',
  }
}
