import type { JsonObject, JsonValue } from 'hookline/lifecycle'
import { byKind } from '../by-kind.ts'
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
  isTimedOut,
  reasonIn,
  tooMuch,
  vetoedLoudly,
} from '../handler-ends.ts'
import type { Moment } from '../moment.ts'
import { readPermission } from '../permission-word.ts'
import { isObject, readPrinted } from '../printed.ts'
import { unlessWrong, verdictIn } from '../printed-verdict.ts'
import { type Verdict, withLapse } from '../verdict.ts'
import { outOfWordsOf } from '../vocabulary.ts'
import { capabilities } from './capabilities.ts'
import { isClaudeName, ownNameOf } from './moments.ts'
import { readProgress } from './progress.ts'
import { vocabulary } from './vocabulary.ts'

/** What the end of a hook of Copilot means. */
export function readOutput(
  end: HandlerEnd,
  { event }: ForeignHook,
  moment: Moment,
): Verdict {
  const finished = finishOf(end)
  if (typeof finished === 'string') return failedBy(end, finished, moment)
  const { exitCode, stderr } = finished
  const { rest, messages } = readProgress(finished.stdout)
  const place = { event, moment }
  const said = readStdout({ ...finished, stdout: rest }, place)
  const verdict = withNotices(
    byCode(said, { exitCode, rest, stderr }, place),
    messages,
  )
  const able = capabilities[ownNameOf(event)] ?? []
  return honoured(verdict, event, [...able, 'tell-user'])
}

/**
 * A command that does not end well denies a call, unless it was only too slow;
 * one that ends well and says what nobody understands does not. Nor does a
 * server, whether it fails or cannot be asked.
 */
export function failsClosed(
  { handler }: ForeignHook,
  { kind }: Moment,
  end: HandlerEnd,
): boolean {
  const isCommand = handler.type === 'command'
  if (!isCommand || kind !== 'tool-pre' || isTimedOut(end)) return false
  if (end.type === 'command') return end.end.exitCode !== 0
  return end.type === 'failure'
}

function failedBy(end: HandlerEnd, why: string, { kind }: Moment): Verdict {
  // Nobody waits at a notification: the model would read it, not the user.
  if (!isTimedOut(end) || kind === 'notification') return failed(why)
  return failed(why, { notices: [`A hook was too slow: ${why}`] })
}

interface Place {
  readonly event: string
  readonly moment: Moment
}

interface Code {
  readonly exitCode: number
  readonly rest: string
  readonly stderr: string
}

function byCode(
  said: Verdict,
  { exitCode, rest, stderr }: Code,
  { moment: { kind } }: Place,
): Verdict {
  if (exitCode === 0) return said
  const isGate =
    kind === 'tool-pre' || (kind === 'permission' && exitCode === 2)
  if (isGate) return vetoOf(said, exitCode, kind === 'permission' ? '' : stderr)
  if (exitCode === 2 && kind === 'tool-failure') {
    const guidance = said.context?.length ? said.context : [rest.trim()]
    return { context: guidance.filter((text) => text !== '') }
  }
  const reason = reasonIn(stderr)
  if (exitCode === 2 && kind !== 'prompt') {
    return { notices: reason === undefined ? [] : [reason] }
  }
  return failed(`It exited with ${exitCode}.`)
}

function vetoOf(said: Verdict, exitCode: number, stderr: string): Verdict {
  const { failure: _, ...rest } = said
  if (exitCode !== 2) return failed(`It exited with ${exitCode}.`, rest)
  const given = said.decision === 'deny' ? said.reason : undefined
  const reason = given ?? reasonIn(stderr)
  return vetoedLoudly(
    said,
    defined<Verdict>({ decision: 'deny', reason }),
    stderr,
  )
}

function withNotices(verdict: Verdict, messages: readonly string[]): Verdict {
  if (messages.length === 0) return verdict
  return { ...verdict, notices: [...(verdict.notices ?? []), ...messages] }
}

/** Text is no output; half a document is one that nobody can read. */
function readStdout({ stdout, isStdoutCut }: Finished, place: Place): Verdict {
  if (isStdoutCut) return tooMuch
  const printed = readPrinted(stdout)
  if (printed.type === 'nothing') return {}
  const isGate = ['tool-pre', 'permission'].includes(place.moment.kind)
  if (printed.type === 'text') {
    return isGate ? failed('It has not printed JSON.') : {}
  }
  return verdictIn(printed, (document) => readDocument(document, place))
}

function readDocument(document: JsonObject, place: Place): Verdict {
  const shape = readClaudeShape(document)
  const added = shape.additionalContext
  const context = added === undefined ? [] : [added]
  const verdict = byKind<Verdict>(place.moment, {
    'tool-pre': () => judgementIn(document, shape, place),
    permission: () => permissionIn(document, shape),
    'tool-post': () => ({ ...resultOf(document), context }),
    'prompt-rewrite': () => rewriteIn(document),
    stop: () => endOf(document, shape),
    'subagent-stop': () => endOf(document, shape),
    prompt: () =>
      document['modifiedPrompt'] === undefined
        ? { context }
        : dropped('modifiedPrompt', { context }),
  })
  return verdict ?? { context }
}

function judgementIn(
  document: JsonObject,
  shape: ClaudeShape,
  place: Place,
): Verdict {
  const field = 'permissionDecision'
  const { decision, problems } = readPermission(document[field], field, shape)
  const given = text(document['permissionDecisionReason'])
  const reason = given ?? shape.permissionReason ?? shape.reason
  const changed = argsOf(document, shape.updatedInput, place)
  const said = defined<Verdict>({ ...changed, decision, reason })
  const taken = ['decision', field, 'hookEventName']
  const verdict = unlessWrong(said, { problems }, taken)
  if (decision !== 'deny' || reason !== undefined) return verdict
  const message = 'Copilot wants a reason to deny.'
  return withLapse(verdict, 'sloppy-output', message)
}

function permissionIn(document: JsonObject, shape: ClaudeShape): Verdict {
  const isDenied = shape.behavior === 'deny'
  const behavior = isDenied ? 'deny' : (document['behavior'] ?? shape.behavior)
  const reason = text(document['message']) ?? shape.message
  if (behavior !== undefined && behavior !== 'allow' && behavior !== 'deny') {
    return failed('It has a wrong behavior.')
  }
  const isOther =
    behavior === 'allow' &&
    document['behavior'] !== 'allow' &&
    !isNamed(shape, ['PermissionRequest', 'permissionRequest'])
  if (isOther) return failed('It has a wrong hookEventName.')
  const said = defined<Verdict>({ decision: behavior, reason })
  const verdict = unlessWrong(said, shape, ['behavior'])
  if (document['interrupt'] !== true) return verdict
  const message = 'A denial does not end the turn here.'
  return withLapse(verdict, 'not-honoured', message)
}

function rewriteIn(document: JsonObject): Verdict {
  const updated = text(document['modifiedTransformedPrompt'])
  return updated === undefined ? {} : { updatedPrompt: updated }
}

function dropped(key: string, verdict: Verdict): Verdict {
  return withLapse(verdict, 'not-honoured', `"${key}" has no effect here.`)
}

function argsOf(
  document: JsonObject,
  updatedInput: JsonObject | undefined,
  { event, moment }: Place,
): Verdict {
  if (moment.kind !== 'tool-pre') return {}
  const { modifiedArgs } = document
  if (isObject(modifiedArgs)) {
    const { name } = moment.call
    // Under a name of Claude Code's the arguments have its names already.
    return {
      updatedInput: isClaudeName(event)
        ? modifiedArgs
        : outOfWordsOf(vocabulary, name, modifiedArgs),
    }
  }
  if (modifiedArgs !== undefined) return failed('It has wrong modifiedArgs.')
  return updatedInput === undefined ? {} : dropped('updatedInput', {})
}

function resultOf({ modifiedResult }: JsonObject): Verdict {
  if (!isObject(modifiedResult)) return {}
  const updated = modifiedResult['textResultForLlm']
  if (typeof updated !== 'string')
    return failed('It has a wrong modifiedResult.')
  return { updatedOutput: updated }
}

function endOf(
  document: JsonObject,
  { decision, reason }: ClaudeShape,
): Verdict {
  if (decision === 'block') {
    return { keepGoing: reason ?? 'A hook wants it to go on.' }
  }
  return document['modifiedResponse'] === undefined
    ? {}
    : dropped('modifiedResponse', {})
}

function text(value: JsonValue | undefined): string | undefined {
  return typeof value === 'string' && value.trim() !== '' ? value : undefined
}
