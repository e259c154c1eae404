import type { MomentKind } from '../moment.ts'

/** What the events of Gemini CLI are here. */
export const moments: Readonly<Record<string, readonly MomentKind[]>> = {
  SessionStart: ['session-start'],
  SessionEnd: ['session-end'],
  BeforeAgent: ['prompt'],
  AfterAgent: ['stop'],
  BeforeModel: ['model-pre'],
  AfterModel: ['model-post'],
  BeforeToolSelection: ['model-pre'],
  BeforeTool: ['tool-pre'],
  AfterTool: ['tool-post', 'tool-failure'],
  PreCompress: ['compact-pre'],
  Notification: ['notification'],
}
