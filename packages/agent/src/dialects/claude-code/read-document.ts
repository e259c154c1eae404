import type { JsonObject } from 'hookline/lifecycle'
import {
  type ClaudeShape,
  defined,
  isNamed,
  readClaudeShape,
} from '../claude-shape.ts'
import type { ForeignHook } from '../dialect.ts'
import type { Moment } from '../moment.ts'
import { isObject } from '../printed.ts'
import { unlessWrong } from '../printed-verdict.ts'
import { withReadableOutput } from '../updated-result.ts'
import type { Lapse, Verdict } from '../verdict.ts'
import { blocked, eventOf } from './blocked.ts'

export interface Reading {
  readonly hook: ForeignHook
  readonly moment: Moment
}

/** What a document says at an event; what is wrong with it is a failure. */
export function readDocument(document: JsonObject, reading: Reading): Verdict {
  const { hook } = reading
  const shape = readClaudeShape(document)
  const said = decidedBy(shape, document, reading)
  const verdict: Verdict = {
    ...said,
    ...(shape.stop !== undefined && { stop: stopReason(document) }),
    context: [...(said.context ?? []), ...contextOf(shape)],
    notices: [
      ...(said.notices ?? []),
      ...(shape.systemMessage === undefined ? [] : [shape.systemMessage]),
    ],
  }
  const checked = unlessWrong(verdict, shape)
  if (checked.failure !== undefined) return checked
  const lapses = [
    ...(checked.lapses ?? []),
    ...sloppiness(shape, document, hook),
    ...leftOver(shape, document, hook),
  ]
  return continued({ ...checked, lapses }, hook)
}

function stopReason({ stopReason: reason }: JsonObject): string {
  return typeof reason === 'string' ? reason : ''
}

/** Context where a turn is about to stop makes it go on. */
function continued(verdict: Verdict, hook: ForeignHook): Verdict {
  const { context = [], keepGoing, ...rest } = verdict
  if (eventOf(hook).block !== 'keep-going') return verdict
  const texts = [...(keepGoing === undefined ? [] : [keepGoing]), ...context]
  return texts.length === 0 ? rest : { ...rest, keepGoing: texts.join('\n') }
}

function contextOf({ additionalContext }: ClaudeShape): readonly string[] {
  return additionalContext === undefined ? [] : [additionalContext]
}

function decidedBy(
  shape: ClaudeShape,
  document: JsonObject,
  { hook, moment }: Reading,
): Verdict {
  switch (hook.event) {
    case 'PreToolUse':
      return judgedCall(shape, document, hook)
    case 'PermissionRequest':
      return permitted(shape, hook)
    case 'PermissionDenied':
      return shape.specific['retry'] === true
        ? { context: ['The call that was denied may be tried again.'] }
        : {}
    case 'PostToolUse': {
      const said = { ...blockedBy(shape, hook), ...updatedOutput(shape) }
      return withReadableOutput(said, moment)
    }
    default:
      return blockedBy(shape, hook)
  }
}

function blockedBy(
  { decision, reason }: ClaudeShape,
  hook: ForeignHook,
): Verdict {
  if (decision !== 'block' && decision !== 'deny') return {}
  return blocked(reason, hook)
}

function judgedCall(
  shape: ClaudeShape,
  document: JsonObject,
  hook: ForeignHook,
): Verdict {
  const { permission, permissionReason, decision, reason, updatedInput } = shape
  const changed = updatedInput === undefined ? {} : { updatedInput }
  const isOldBlock = decision === 'block' || decision === 'deny'
  if (permission === 'deny' || isOldBlock) {
    return blocked(permission === 'deny' ? permissionReason : reason, hook)
  }
  if (permission === 'ask' || permission === 'defer' || decision === 'ask') {
    const asked = defined<Verdict>({
      decision: 'ask',
      reason: permissionReason ?? reason,
      ...changed,
    })
    if (permission !== 'defer') return asked
    const message = 'A call cannot be put off here; a person is asked instead.'
    return { ...asked, lapses: [{ code: 'not-honoured', message }] }
  }
  // The old form says "approve"; an "allow" there means nothing.
  const isAllowed = permission === 'allow' || document['decision'] === 'approve'
  if (!isAllowed || !isNamed(shape, [hook.event])) return changed
  return { decision: 'allow', ...changed }
}

function permitted(shape: ClaudeShape, { event }: ForeignHook): Verdict {
  const { behavior, message, specific } = shape
  const decision = specific['decision']
  if (!isObject(decision) || behavior === undefined) return {}
  const isCancelled = decision['interrupt'] === true
  if (behavior === 'deny') {
    return {
      decision: 'deny',
      ...(message !== undefined && { reason: message }),
      ...(isCancelled && { stop: message ?? '' }),
    }
  }
  if (!isNamed(shape, [event])) return {}
  const { updatedInput, updatedPermissions } = decision
  const lapse: Lapse = {
    code: 'not-honoured',
    message: 'New permission rules are not taken over from hooks.',
  }
  return {
    decision: 'allow',
    ...(isObject(updatedInput) && { updatedInput }),
    ...(updatedPermissions !== undefined && { lapses: [lapse] }),
  }
}

function updatedOutput({ specific }: ClaudeShape): Verdict {
  const { updatedToolOutput, updatedMCPToolOutput } = specific
  const updated = updatedToolOutput ?? updatedMCPToolOutput
  return updated === undefined || updated === null
    ? {}
    : { updatedOutput: updated }
}

function sloppiness(
  { isSloppy, specific, decision, reason }: ClaudeShape,
  document: JsonObject,
  hook: ForeignHook,
): readonly Lapse[] {
  const name = specific['hookEventName']
  const isStop = eventOf(hook).block === 'keep-going'
  const isMute = isStop && decision === 'block' && (reason ?? '') === ''
  const isOther = name !== undefined && name !== hook.event
  const word = document['decision']
  const isWrongWord = word === 'deny' || word === 'ask' || word === 'allow'
  const messages = [
    ...(isSloppy && !isOther
      ? ['It lacks "hookEventName", or has a field where it does not belong.']
      : []),
    ...(isOther ? ['Its "hookEventName" is that of another event.'] : []),
    ...(isMute ? ['It blocks without a "reason".'] : []),
    ...(isWrongWord
      ? ['Its "decision" is none of "approve" and "block".']
      : []),
  ]
  return messages.map((message) => ({ code: 'sloppy-output', message }))
}

const known: Readonly<Record<string, readonly string[]>> = {
  PreToolUse: [
    'permissionDecision',
    'permissionDecisionReason',
    'updatedInput',
  ],
  PermissionRequest: ['decision'],
  PermissionDenied: ['retry'],
  PostToolUse: ['updatedToolOutput', 'updatedMCPToolOutput'],
}
const everywhere = ['hookEventName', 'additionalContext', 'systemMessage']

/** Fields that the product knows, or somebody hopes it does, without effect. */
function leftOver(
  { specific, permission, decision }: ClaudeShape,
  document: JsonObject,
  { event }: ForeignHook,
): readonly Lapse[] {
  const honouredHere = [...everywhere, ...(known[event] ?? [])]
  const inner = Object.keys(specific).filter(
    (key) =>
      !honouredHere.includes(key) && key !== 'reason' && key !== 'decision',
  )
  const isTooLate = permission !== undefined && event !== 'PreToolUse'
  const isLost = decision !== undefined && unblockable.has(event)
  const outer = document['async'] === true ? ['async'] : []
  const keys = [
    ...inner,
    ...outer,
    ...(isTooLate && !inner.includes('permissionDecision')
      ? ['permissionDecision']
      : []),
    ...(isLost ? ['decision'] : []),
  ]
  if (keys.length === 0) return []
  const names = keys.map((key) => `"${key.slice(0, 60)}"`).join(', ')
  const message = `At ${event} these have no effect here: ${names}.`
  return [{ code: 'not-honoured', message }]
}

/** A `decision` there is for nobody. */
const unblockable: ReadonlySet<string> = new Set([
  'SessionStart',
  'SubagentStart',
  'SessionEnd',
  'PostCompact',
  'Notification',
  'StopFailure',
])
