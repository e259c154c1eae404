import type { Capability } from '../capability.ts'
import type { DialectName } from '../dialect.ts'

/** What comes of something that our hooks want: it is done, or what instead. */
export type ExpectedOut = 'done' | Capability | 'nothing'

/**
 * What a product does not do as it is asked, from the notes alone: by dialect,
 * event and what is wanted. What is not here is done where the table of its
 * capabilities says so, and otherwise nothing comes of it.
 */
export const insteads: Readonly<
  Partial<
    Record<
      DialectName,
      Readonly<
        Record<string, Readonly<Partial<Record<Capability, ExpectedOut>>>>
      >
    >
  >
> = {
  'claude-code': {
    SessionStart: { deny: 'end-turn' },
    SubagentStart: { deny: 'end-turn' },
    UserPromptSubmit: { 'rewrite-prompt': 'nothing' },
    PreToolUse: { respond: 'deny' },
    PostToolUse: { deny: 'rewrite-result' },
    PostToolUseFailure: { deny: 'nothing', 'rewrite-result': 'nothing' },
  },
  codex: {
    SessionStart: { deny: 'end-turn' },
    PreToolUse: { ask: 'deny', 'end-turn': 'deny', respond: 'deny' },
    PreCompact: { deny: 'end-turn' },
    PostToolUse: { deny: 'nothing', 'rewrite-result': 'nothing' },
  },
  gemini: {
    SessionStart: { deny: 'nothing' },
    BeforeTool: { respond: 'deny', context: 'nothing' },
    AfterTool: { deny: 'done', 'rewrite-result': 'nothing' },
    PreCompress: { deny: 'nothing' },
  },
  cursor: {
    preToolUse: { ask: 'deny', 'end-turn': 'deny', respond: 'deny' },
    beforeShellExecution: {
      'rewrite-args': 'nothing',
      'end-turn': 'deny',
      respond: 'deny',
    },
    beforeMCPExecution: {
      'rewrite-args': 'nothing',
      'end-turn': 'deny',
      respond: 'deny',
    },
    beforeReadFile: { ask: 'deny', 'end-turn': 'deny', respond: 'deny' },
    // The results of tools but MCP's stay as they are.
    postToolUse: { deny: 'nothing', 'rewrite-result': 'nothing' },
    preCompact: { deny: 'nothing' },
    stop: { 'keep-going': 'done' },
  },
  copilot: {
    sessionStart: { deny: 'nothing' },
    userPromptSubmitted: { deny: 'nothing', 'rewrite-prompt': 'nothing' },
    userPromptTransformed: { deny: 'nothing', 'rewrite-prompt': 'done' },
    preToolUse: { respond: 'deny', 'end-turn': 'deny' },
    postToolUse: { deny: 'rewrite-result' },
    preCompact: { deny: 'nothing' },
  },
  'vs-code': {
    SessionStart: { deny: 'end-turn' },
    PreToolUse: { respond: 'deny' },
    PostToolUse: { deny: 'nothing', 'rewrite-result': 'nothing' },
    PreCompact: { deny: 'end-turn' },
    SubagentStart: { deny: 'end-turn' },
  },
}
