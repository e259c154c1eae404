import type { Capabilities, Capability } from '../capability.ts'

const everywhere: readonly Capability[] = ['end-turn', 'tell-user']

/** What VS Code honours. */
export const capabilities: Capabilities = {
  SessionStart: [...everywhere, 'context'],
  UserPromptSubmit: [...everywhere, 'deny', 'context'],
  PreToolUse: [
    ...everywhere,
    'deny',
    'ask',
    'allow',
    'rewrite-args',
    'context',
  ],
  PostToolUse: [...everywhere, 'context'],
  PreCompact: everywhere,
  SubagentStart: [...everywhere, 'context'],
  SubagentStop: [...everywhere, 'keep-going'],
  Stop: [...everywhere, 'keep-going'],
}
