import type { MomentKind } from '../moment.ts'

/** What the events of Cursor are here; an empty list never fires. */
export const moments: Readonly<Record<string, readonly MomentKind[]>> = {
  sessionStart: ['session-start'],
  sessionEnd: ['session-end'],
  beforeSubmitPrompt: ['prompt'],
  preToolUse: ['tool-pre'],
  postToolUse: ['tool-post'],
  postToolUseFailure: ['tool-failure'],
  beforeShellExecution: ['tool-pre'],
  afterShellExecution: ['tool-post'],
  beforeMCPExecution: ['tool-pre'],
  afterMCPExecution: ['tool-post'],
  beforeReadFile: ['tool-pre'],
  afterFileEdit: ['tool-post'],
  subagentStart: ['subagent-start'],
  subagentStop: ['subagent-stop'],
  preCompact: ['compact-pre'],
  stop: ['stop', 'turn-error'],
  afterAgentResponse: ['model-post'],
  afterAgentThought: ['model-post'],
  beforeTabFileRead: [],
  afterTabFileEdit: [],
  workspaceOpen: [],
}
