import type { JsonObject } from 'hookline/lifecycle'
import { honoured } from '../capability.ts'
import {
  type ClaudeShape,
  defined,
  isNamed,
  readClaudeShape,
} from '../claude-shape.ts'
import type { ForeignHook } from '../dialect.ts'
import type { HandlerEnd } from '../dialect-facts.ts'
import {
  type Finished,
  failed,
  finishOf,
  reasonIn,
  tooMuch,
  withAccident,
} from '../handler-ends.ts'
import { outputKeys } from '../is-output.ts'
import type { Moment } from '../moment.ts'
import { readPrinted } from '../printed.ts'
import { unlessWrong, verdictIn } from '../printed-verdict.ts'
import { type Verdict, withLapse } from '../verdict.ts'
import { capabilities } from './capabilities.ts'
import { outOfCodexWords } from './codex-call.ts'

/** What the end of a Codex hook means. */
export function readOutput(
  end: HandlerEnd,
  { event }: ForeignHook,
  moment: Moment,
): Verdict {
  const finished = finishOf(end)
  if (typeof finished === 'string') return failed(finished)
  const { exitCode, stderr } = finished
  if (exitCode === 2) return vetoOf(moment, stderr)
  if (exitCode !== 0) return failed(`It exited with ${exitCode}.`)
  const verdict = readStdout(finished, event, moment)
  return honoured(verdict, event, accepted(event))
}

/** Codex calls these a failure; they are stricter, so that we take them. */
function accepted(event: string) {
  const own = capabilities[event] ?? []
  if (event === 'PreToolUse') return [...own, 'ask', 'end-turn'] as const
  return atStart.has(event) ? ([...own, 'deny'] as const) : own
}

/** Where to stop means that it does not begin. */
const atStart: ReadonlySet<string> = new Set(['UserPromptSubmit', 'PreCompact'])

function vetoOf({ kind }: Moment, stderr: string): Verdict {
  const reason = reasonIn(stderr)
  if (reason === undefined) {
    return failed('It exited with 2, but gave no reason.')
  }
  if (kind === 'prompt' || kind === 'tool-pre' || kind === 'permission') {
    return withAccident({ decision: 'deny', reason }, stderr)
  }
  if (kind === 'tool-post') return { context: [reason] }
  if (kind === 'stop' || kind === 'subagent-stop') {
    return withAccident({ keepGoing: reason }, stderr)
  }
  return failed('It exited with 2, which blocks nothing here.')
}

const takesText: ReadonlySet<string> = new Set([
  'SessionStart',
  'UserPromptSubmit',
  'SubagentStart',
])
const wantsJson: ReadonlySet<string> = new Set(['Stop', 'SubagentStop'])

function readStdout(
  { stdout, isStdoutCut }: Finished,
  event: string,
  moment: Moment,
): Verdict {
  if (isStdoutCut) return tooMuch
  const printed = readPrinted(stdout, outputKeys)
  if (printed.type === 'nothing') return {}
  if (printed.type === 'text') {
    if (takesText.has(event)) return { context: [printed.text] }
    return wantsJson.has(event) ? failed('It has not printed JSON.') : {}
  }
  return verdictIn(printed, (document) => verdictOf(document, event, moment))
}

function sloppy(verdict: Verdict, what: string): Verdict {
  const message = `Codex would call this a failure and go on: ${what}`
  return withLapse(verdict, 'sloppy-output', message)
}

function verdictOf(
  document: JsonObject,
  event: string,
  moment: Moment,
): Verdict {
  const shape = readClaudeShape(document)
  const said = decided(shape, event, moment)
  const notices = shape.systemMessage === undefined ? [] : [shape.systemMessage]
  const verdict: Verdict = { ...said, notices }
  const unknown = unknownKeys(document, shape, event)
  const isOther = verdict.decision === 'allow' && !isNamed(shape, [event])
  const problems = isOther
    ? [...shape.problems, 'hookEventName']
    : shape.problems
  const checked = unlessWrong(verdict, { problems })
  if (checked.failure !== undefined) return checked
  if (unknown.length > 0) {
    return sloppy(checked, `It does not know ${unknown.join(', ')}.`)
  }
  return shape.isSloppy ? sloppy(checked, 'It lacks hookEventName.') : checked
}

function decided(shape: ClaudeShape, event: string, moment: Moment): Verdict {
  const { stop, decision, reason, additionalContext } = shape
  const context = additionalContext === undefined ? [] : [additionalContext]
  const isBlocked = decision === 'block' || decision === 'deny'
  if (event === 'Stop' || event === 'SubagentStop') {
    // Whoever lets the turn end is stronger than one who does not.
    if (stop !== undefined) return { stop }
    if (!isBlocked) return {}
    if (reason !== undefined && reason !== '') return { keepGoing: reason }
    return failed('It blocks without a reason.')
  }
  if (atStart.has(event)) {
    if (stop !== undefined) return { decision: 'deny', reason: stop }
    if (event !== 'UserPromptSubmit' || !isBlocked) return { context }
    return denied(reason, { context })
  }
  if (event === 'PostToolUse') {
    const fed = isBlocked && reason !== undefined ? [reason] : []
    return defined<Verdict>({ stop, context: [...fed, ...context] })
  }
  if (event === 'PermissionRequest') return permitted(shape)
  if (event !== 'PreToolUse') return defined<Verdict>({ stop, context })
  return judged(shape, moment, context)
}

function denied(reason: string | undefined, more: Verdict): Verdict {
  if (reason !== undefined && reason.trim() !== '') {
    return { ...more, decision: 'deny', reason }
  }
  const bare: Verdict = {
    ...more,
    decision: 'deny',
    reason: 'A hook denies it.',
  }
  return sloppy(bare, 'It denies without a reason.')
}

/** What Codex does not take from a permission, such as other arguments. */
const refusedAnswers = ['updatedInput', 'updatedPermissions', 'interrupt']

function permitted(shape: ClaudeShape): Verdict {
  const { behavior, message, specific, stop } = shape
  const answer = Object(specific['decision'])
  const refused = refusedAnswers.filter((key) => Object.hasOwn(answer, key))
  const more = `It does not take ${refused.join(', ')}.`
  if (behavior === 'deny') {
    const verdict: Verdict = {
      decision: 'deny',
      reason: message ?? 'A hook denies it.',
    }
    return refused.length === 0 ? verdict : sloppy(verdict, more)
  }
  if (stop !== undefined) {
    const denied: Verdict = { decision: 'deny', reason: stop }
    return sloppy(denied, 'A question cannot stop the run.')
  }
  if (refused.length > 0) return sloppy({}, more)
  return behavior === 'allow' ? { decision: 'allow' } : {}
}

function judged(
  shape: ClaudeShape,
  moment: Moment,
  context: readonly string[],
): Verdict {
  const { stop, decision, reason, permission, permissionReason } = shape
  if (permission === 'deny') return denied(permissionReason, { context })
  if (decision === 'block' || decision === 'deny') {
    return denied(reason, { context })
  }
  if (stop !== undefined) {
    return sloppy({ stop, context }, 'A call cannot stop the run.')
  }
  if (permission === 'ask' || permission === 'defer' || decision === 'ask') {
    const asked = permissionReason ?? reason
    const verdict = defined<Verdict>({
      decision: 'ask',
      reason: asked,
      context,
    })
    return sloppy(verdict, 'It cannot ask.')
  }
  const { updatedInput } = shape
  if (updatedInput === undefined || moment.kind !== 'tool-pre') {
    const isAllowed = permission === 'allow' || decision === 'allow'
    return isAllowed
      ? sloppy({ context }, 'It allows, but changes nothing.')
      : { context }
  }
  const input = outOfCodexWords(moment.call, updatedInput, moment.cwd)
  if (input === undefined) {
    const why = 'A hook has changed a patch, which cannot be done here.'
    return { decision: 'deny', reason: why, context }
  }
  const changed: Verdict = { updatedInput: input, context }
  return permission === 'allow'
    ? { ...changed, decision: 'allow' }
    : sloppy(changed, 'It changes arguments without allowing the call.')
}

const outerKeys: ReadonlySet<string> = new Set([
  'continue',
  'stopReason',
  'suppressOutput',
  'systemMessage',
  'decision',
  'reason',
  'hookSpecificOutput',
])
const innerKeys: Readonly<Record<string, readonly string[]>> = {
  PreToolUse: [
    'permissionDecision',
    'permissionDecisionReason',
    'updatedInput',
  ],
  PermissionRequest: ['decision'],
}

function unknownKeys(
  document: JsonObject,
  { specific }: ClaudeShape,
  event: string,
): readonly string[] {
  const known = [
    'hookEventName',
    'additionalContext',
    ...(innerKeys[event] ?? []),
  ]
  return [
    ...Object.keys(document).filter((key) => !outerKeys.has(key)),
    ...Object.keys(specific).filter((key) => !known.includes(key)),
  ].map((key) => JSON.stringify(key.slice(0, 40)))
}
