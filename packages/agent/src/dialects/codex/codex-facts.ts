import type { DialectFacts } from '../dialect-facts.ts'
import type { RegexEngine } from '../foreign-regex.ts'
import type { MomentKind } from '../moment.ts'
import { compileMatcher } from './match.ts'
import { moments } from './moments.ts'
import { readOutput } from './read-output.ts'
import { stdinOf } from './stdin.ts'

/** Where a hook can refuse something. */
const gates: ReadonlySet<MomentKind> = new Set<MomentKind>([
  'prompt',
  'tool-pre',
  'permission',
])

const sessionEnd = { defaultMs: 1_000, maxMs: 3_000 }

/** What makes Codex hooks what they are. */
export function codexFacts(regex: RegexEngine): DialectFacts {
  return {
    name: 'codex',
    moments,
    compileMatch: ({ matcher }) => compileMatcher(matcher, regex),
    stdin: stdinOf,
    env: ({ source: { plugin } }, _moment, { projectDir }) => ({
      CLAUDE_PROJECT_DIR: projectDir,
      ...(plugin !== undefined && pluginVariables(plugin)),
    }),
    placeholders: ({ source: { plugin } }) =>
      plugin === undefined ? {} : pluginVariables(plugin),
    timeoutMs: ({ event, timeoutMs }) =>
      event === 'SessionEnd'
        ? Math.min(timeoutMs ?? sessionEnd.defaultMs, sessionEnd.maxMs)
        : Math.max(timeoutMs ?? 600_000, 1_000),
    read: readOutput,
    blocked: (reason, _hook, { kind }) =>
      gates.has(kind) ? { decision: 'deny', reason } : {},
    isAsync: ({ event, flags }) =>
      flags['async'] === true && event !== 'SessionEnd',
  }
}

function pluginVariables({
  root,
  data = root,
}: {
  readonly root: string
  readonly data?: string
}) {
  return {
    PLUGIN_ROOT: root,
    CLAUDE_PLUGIN_ROOT: root,
    PLUGIN_DATA: data,
    CLAUDE_PLUGIN_DATA: data,
  }
}
