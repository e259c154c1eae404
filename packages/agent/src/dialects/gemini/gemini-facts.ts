import { sep } from 'node:path'
import { aliasCall } from '../alias-call.ts'
import type { DialectParts, ForeignHook } from '../dialect.ts'
import type { DialectFacts } from '../dialect-facts.ts'
import type { RegexEngine } from '../foreign-regex.ts'
import type { MomentKind } from '../moment.ts'
import { textIn } from '../read-hooks-file.ts'
import { inWordsOf } from '../vocabulary.ts'
import { compileMatcher } from './match.ts'
import { moments } from './moments.ts'
import { denied, readOutput } from './read-output.ts'
import type { ToolNames } from './select-tools.ts'
import { stdinOf } from './stdin.ts'
import { vocabulary } from './vocabulary.ts'

/** Where a hook can refuse something. */
const gates: ReadonlySet<MomentKind> = new Set<MomentKind>([
  'prompt',
  'model-pre',
  'model-post',
  'tool-pre',
  'tool-post',
  'tool-failure',
])

/** What makes hooks of Gemini CLI what they are. */
export function geminiFacts(
  regex: RegexEngine,
  { tools = {} }: DialectParts,
): DialectFacts {
  const names = namesWith(tools)
  return {
    name: 'gemini',
    moments,
    compileMatch: ({ matcher }) => compileMatcher(matcher, regex),
    stdin: stdinOf,
    env: (_hook, { cwd, sessionId }, { projectDir, dataDir }) => ({
      GEMINI_PROJECT_DIR: projectDir,
      GEMINI_PLANS_DIR: dataDir,
      GEMINI_CWD: cwd,
      GEMINI_SESSION_ID: sessionId,
      CLAUDE_PROJECT_DIR: projectDir,
    }),
    placeholders: ({ source: { plugin } }, { projectDir }) => ({
      GEMINI_PROJECT_DIR: projectDir,
      CLAUDE_PROJECT_DIR: projectDir,
      workspacePath: projectDir,
      '/': sep,
      ...(plugin !== undefined && { extensionPath: plugin.root }),
    }),
    timeoutMs: ({ timeoutMs }) => timeoutMs ?? 60_000,
    read: (end, hook, moment) => readOutput(end, hook, moment, names),
    blocked: (reason, { event }, moment) =>
      gates.has(moment.kind) && event !== 'BeforeToolSelection'
        ? denied(reason, moment)
        : {},
    isSerial: (hooks) =>
      hooks.some(({ flags }) => flags['sequential'] === true),
    dedupeKey,
  }
}

/**
 * The product compares name and command. A copy with other variables, or of
 * another extension, is not the same: it may refuse something else.
 */
function dedupeKey({ flags, handler, source }: ForeignHook): string {
  const name = textIn(flags, 'name') ?? ''
  const root = source.plugin?.root ?? null
  return JSON.stringify([name, handler, root])
}

function namesWith(aliases: NonNullable<DialectParts['tools']>): ToolNames {
  return (tool) => {
    const call = {
      id: '',
      tool,
      owner: '',
      args: {},
      safety: 'read_only' as const,
    }
    return inWordsOf(vocabulary, aliasCall(call, '', aliases)).name
  }
}
