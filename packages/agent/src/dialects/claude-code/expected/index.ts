import type { Expectations } from '../../expectation.ts'
import {
  notification,
  permissionDenied,
  permissionRequest,
} from './permission.ts'
import { postCompact, preCompact, sessionEnd, sessionStart } from './session.ts'
import { postToolBatch, postToolUse, postToolUseFailure } from './tool-post.ts'
import { preToolUse } from './tool-pre.ts'
import {
  stop,
  stopFailure,
  subagentStart,
  subagentStop,
  userPromptSubmit,
} from './turn.ts'

/** Every event that has a point. Written from the notes, before the code. */
export const expectations: Expectations = {
  SessionStart: sessionStart,
  SessionEnd: sessionEnd,
  UserPromptSubmit: userPromptSubmit,
  PreToolUse: preToolUse,
  PostToolUse: postToolUse,
  PostToolUseFailure: postToolUseFailure,
  PostToolBatch: postToolBatch,
  PermissionRequest: permissionRequest,
  PermissionDenied: permissionDenied,
  Notification: notification,
  Stop: stop,
  StopFailure: stopFailure,
  SubagentStart: subagentStart,
  SubagentStop: subagentStop,
  PreCompact: preCompact,
  PostCompact: postCompact,
}

/** Events without a moment here. */
export const neverFiring: readonly string[] = [
  'Setup',
  'InstructionsLoaded',
  'UserPromptExpansion',
  'MessageDisplay',
  'TaskCreated',
  'TaskCompleted',
  'TeammateIdle',
  'ConfigChange',
  'CwdChanged',
  'DirectoryAdded',
  'FileChanged',
  'WorktreeCreate',
  'WorktreeRemove',
  'Elicitation',
  'ElicitationResult',
  'PreModelSwitch',
  'PostModelSwitch',
]
