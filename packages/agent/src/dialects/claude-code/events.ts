import type { Capability } from '../capability.ts'
import type { MomentKind } from '../moment.ts'

/** What is to be known about one event of the product. */
export interface EventFacts {
  /** None: there is no such moment here, so that it never fires. */
  readonly moments: readonly MomentKind[]
  /** What a matcher is compared with; absent: it is ignored. */
  readonly subject?: Subject
  /** What a hook may do. */
  readonly can: readonly Capability[]
  /** What exit code 2 and `decision: "block"` come to. */
  readonly block: Block
  /** Plain text that is printed is for the model. */
  readonly takesText?: true
  /** `systemMessage` and `continue` have no effect. */
  readonly isDeaf?: true
  /** Prompts and agents may be its handlers. */
  readonly takesPrompts?: true
  /** Requests may not. */
  readonly refusesHttp?: true
  readonly timeoutMs?: number
}

type Subject =
  | 'tool'
  | 'source'
  | 'reason'
  | 'notification'
  | 'agent'
  | 'trigger'
  | 'error'
  | 'other'

/** `user`: the user is told. `ignored`: nothing comes of it. */
type Block = 'deny' | 'feedback' | 'keep-going' | 'user' | 'ignored'

const toolEvent = { subject: 'tool', takesPrompts: true } as const
const observed = { can: [], block: 'ignored', isDeaf: true } as const
/** No moment of ours is like it. */
const absent = { moments: [], can: [], block: 'ignored' } as const
const stops = {
  can: ['keep-going', 'end-turn', 'tell-user'],
  block: 'keep-going',
  takesPrompts: true,
} as const

export const events: Readonly<Record<string, EventFacts>> = {
  SessionStart: {
    moments: ['session-start'],
    subject: 'source',
    can: ['context', 'end-turn', 'tell-user'],
    block: 'user',
    takesText: true,
    refusesHttp: true,
  },
  SessionEnd: {
    moments: ['session-end'],
    subject: 'reason',
    ...observed,
    block: 'user',
  },
  UserPromptSubmit: {
    moments: ['prompt'],
    can: ['deny', 'context', 'end-turn', 'tell-user'],
    block: 'deny',
    takesText: true,
    takesPrompts: true,
    timeoutMs: 30_000,
  },
  PreToolUse: {
    moments: ['tool-pre'],
    can: [
      'deny',
      'ask',
      'allow',
      'rewrite-args',
      'context',
      'end-turn',
      'tell-user',
    ],
    block: 'deny',
    ...toolEvent,
  },
  PermissionRequest: {
    moments: ['permission'],
    can: ['deny', 'allow', 'rewrite-args', 'end-turn', 'tell-user'],
    block: 'ignored',
    ...toolEvent,
  },
  PermissionDenied: {
    moments: ['permission-denied'],
    can: ['context', 'end-turn', 'tell-user'],
    block: 'ignored',
    ...toolEvent,
  },
  PostToolUse: {
    moments: ['tool-post'],
    can: ['context', 'rewrite-result', 'end-turn', 'tell-user'],
    block: 'feedback',
    ...toolEvent,
  },
  PostToolUseFailure: {
    moments: ['tool-failure'],
    can: ['context', 'end-turn', 'tell-user'],
    block: 'feedback',
    ...toolEvent,
  },
  PostToolBatch: {
    moments: ['tool-batch'],
    can: ['deny', 'context', 'end-turn', 'tell-user'],
    block: 'deny',
    takesPrompts: true,
  },
  Notification: {
    moments: ['notification'],
    subject: 'notification',
    ...observed,
  },
  Stop: { moments: ['stop'], ...stops },
  StopFailure: { moments: ['turn-error'], subject: 'error', ...observed },
  SubagentStart: {
    moments: ['subagent-start'],
    subject: 'agent',
    can: ['context', 'end-turn', 'tell-user'],
    block: 'user',
  },
  SubagentStop: { moments: ['subagent-stop'], subject: 'agent', ...stops },
  PreCompact: {
    moments: ['compact-pre'],
    subject: 'trigger',
    can: ['deny'],
    block: 'deny',
    isDeaf: true,
  },
  PostCompact: {
    moments: ['compact-post'],
    subject: 'trigger',
    ...observed,
    block: 'user',
  },
  Setup: { ...absent, subject: 'other', refusesHttp: true },
  InstructionsLoaded: { ...absent, subject: 'other' },
  UserPromptExpansion: {
    ...absent,
    subject: 'other',
    takesText: true,
    takesPrompts: true,
  },
  MessageDisplay: { ...absent, timeoutMs: 10_000 },
  TaskCreated: { ...absent, takesPrompts: true },
  TaskCompleted: { ...absent, takesPrompts: true },
  TeammateIdle: { ...absent, takesPrompts: true },
  ConfigChange: { ...absent, subject: 'other' },
  CwdChanged: absent,
  DirectoryAdded: { ...absent, subject: 'other' },
  FileChanged: { ...absent, subject: 'other' },
  WorktreeCreate: absent,
  WorktreeRemove: absent,
  Elicitation: { ...absent, subject: 'other' },
  ElicitationResult: { ...absent, subject: 'other' },
  PreModelSwitch: { ...absent, subject: 'other', timeoutMs: 30_000 },
  PostModelSwitch: { ...absent, subject: 'other', timeoutMs: 30_000 },
}

/** What each of them is here. */
export const moments: Readonly<Record<string, readonly MomentKind[]>> =
  Object.fromEntries(
    Object.entries(events).map(([event, { moments }]) => [event, moments]),
  )

/** The events that the condition `if` of a hook is looked at. */
export const eventsWithIf: ReadonlySet<string> = new Set(
  Object.keys(events).filter((event) => events[event]?.subject === 'tool'),
)

/** The values that a matcher can meet, where there are only so many. */
export const subjectValues: Readonly<Record<string, readonly string[]>> = {
  SessionStart: ['startup', 'resume', 'clear', 'compact', 'fork'],
  SessionEnd: ['clear', 'resume', 'logout', 'prompt_input_exit', 'other'],
  Notification: [
    'permission_prompt',
    'idle_prompt',
    'auth_success',
    'elicitation_dialog',
    'elicitation_url_dialog',
    'elicitation_complete',
    'elicitation_response',
    'agent_needs_input',
    'agent_completed',
  ],
  PreCompact: ['manual', 'auto'],
  PostCompact: ['manual', 'auto'],
  StopFailure: [
    'rate_limit',
    'overloaded',
    'authentication_failed',
    'oauth_org_not_allowed',
    'billing_error',
    'invalid_request',
    'model_not_found',
    'server_error',
    'max_output_tokens',
    'unknown',
  ],
}

/** Those of them that happen here. */
export const firingValues: Readonly<Record<string, readonly string[]>> = {
  SessionStart: ['startup', 'resume', 'compact'],
  SessionEnd: ['other'],
  Notification: ['permission_prompt'],
  PreCompact: ['manual', 'auto'],
  PostCompact: ['manual', 'auto'],
  StopFailure: [
    'rate_limit',
    'overloaded',
    'authentication_failed',
    'invalid_request',
    'server_error',
    'max_output_tokens',
    'unknown',
  ],
}
