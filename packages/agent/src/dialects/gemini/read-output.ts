import type { JsonObject } from 'hookline/lifecycle'
import { honoured } from '../capability.ts'
import { type ClaudeShape, defined, readClaudeShape } from '../claude-shape.ts'
import type { ForeignHook } from '../dialect.ts'
import type { HandlerEnd } from '../dialect-facts.ts'
import {
  type Finished,
  failed,
  finishOf,
  tooMuch,
  withAccident,
} from '../handler-ends.ts'
import { outputKeys } from '../is-output.ts'
import type { Moment } from '../moment.ts'
import { isObject, type Printed, readPrinted } from '../printed.ts'
import { unlessWrong, verdictIn } from '../printed-verdict.ts'
import { refusing } from '../refusal.ts'
import { type Verdict, withLapse } from '../verdict.ts'
import { outOfWordsOf } from '../vocabulary.ts'
import { capabilities } from './capabilities.ts'
import { updatedRequest, updatedResponse } from './model-words.ts'
import { selectTools, type ToolNames } from './select-tools.ts'
import { vocabulary } from './vocabulary.ts'

/** What the end of a hook of Gemini CLI means. */
export function readOutput(
  end: HandlerEnd,
  { event }: ForeignHook,
  moment: Moment,
  names: ToolNames,
): Verdict {
  const finished = finishOf(end)
  if (typeof finished === 'string') return failed(finished)
  const { exitCode, isStdoutCut } = finished
  if (isStdoutCut && exitCode < 2) return tooMuch
  // What it has on the other channel counts when there is nothing on this one.
  const text = finished.stdout.trim() || finished.stderr.trim()
  const printed = readTwice(text)
  const hasDocument =
    printed.type === 'document' ||
    (printed.type === 'broken' && printed.document !== undefined)
  const verdict = hasDocument
    ? verdictIn(printed, (document) =>
        readDocument(document, { event, moment, names }),
      )
    : readText(finished, text, printed, moment)
  const settled =
    exitCode >= 2 && hasDocument ? vetoed(verdict, exitCode, moment) : verdict
  return honoured(settled, event, capabilities[event] ?? [])
}

/** A document may come as a text that holds a document. */
function readTwice(text: string): Printed {
  const printed = readPrinted(text, outputKeys)
  if (printed.type !== 'text' || !text.startsWith('"')) return printed
  const inner: unknown = parsed(text)
  if (typeof inner !== 'string') return printed
  const again = readPrinted(inner, outputKeys)
  return again.type === 'document' || again.type === 'broken' ? again : printed
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** No document: the code decides what the text is. */
function readText(
  { exitCode, stderr }: Finished,
  text: string,
  printed: Printed,
  moment: Moment,
): Verdict {
  if (exitCode >= 2) {
    const reason = text === '' ? `A hook exited with ${exitCode}.` : text
    const accident = exitCode === 2 ? stderr : ''
    return withAccident(denied(reason, moment), accident)
  }
  const notices = text === '' ? [] : [text]
  if (exitCode === 1) {
    const warnings = notices.map((notice) => `Warning: ${notice}`)
    return failed('It exited with 1.', { notices: warnings })
  }
  return printed.type === 'broken' ? failed(printed.problem) : { notices }
}

/** To deny the end of a turn is to go on with it. */
export function denied(reason: string, { kind }: Moment): Verdict {
  if (kind === 'stop') return { keepGoing: reason }
  return { decision: 'deny', reason }
}

function vetoed(verdict: Verdict, exitCode: number, moment: Moment): Verdict {
  if (verdict.decision === 'deny' || verdict.keepGoing !== undefined) {
    return verdict
  }
  const reason = verdict.reason ?? `A hook exited with ${exitCode}.`
  const message = `It exited with ${exitCode} but printed no denial; it is denied.`
  const { decision: _, failure: __, doubt: ___, ...rest } = verdict
  return withLapse(
    { ...rest, ...denied(reason, moment) },
    'sloppy-output',
    message,
  )
}

interface Place {
  readonly event: string
  readonly moment: Moment
  readonly names: ToolNames
}

function readDocument(document: JsonObject, place: Place): Verdict {
  const { moment } = place
  const shape = readClaudeShape(document)
  const { decision, reason, stop, systemMessage, additionalContext } = shape
  const isDenied = decision === 'block' || decision === 'deny'
  const said: Verdict = isDenied
    ? denied(reason ?? 'A hook denies it and gives no reason.', moment)
    : defined<Verdict>({ decision, reason })
  const verdict: Verdict = {
    ...said,
    ...changes(shape, place),
    ...(stop !== undefined && stopped(stop, moment)),
    context: additionalContext === undefined ? [] : [additionalContext],
    notices: systemMessage === undefined ? [] : [systemMessage],
  }
  const foreign = foreignWord(shape)
  if (foreign !== undefined && !isDenied) {
    const message = `It ${foreign} in words that Gemini CLI does not read.`
    return failed(message, refusing(verdict, moment))
  }
  const checked = unlessWrong(verdict, shape)
  if (checked.failure !== undefined) return checked
  const unsupported = ['clearContext', 'tailToolCallRequest'].filter(
    (key) => (shape.specific[key] ?? false) !== false,
  )
  if (unsupported.length === 0) return checked
  const message = `There is nothing here that does what ${unsupported.join(', ')} asks for.`
  return withLapse(checked, 'not-honoured', message)
}

/** What it says to keep a call from running, and says in vain. */
function foreignWord(shape: ClaudeShape): string | undefined {
  const { permission, behavior, decision } = shape
  if (permission === 'deny' || behavior === 'deny') return 'denies'
  return permission === 'ask' && decision === 'allow' ? 'asks' : undefined
}

/** To stop at the end of a turn is to let it end. */
function stopped(stop: string, { kind }: Moment): Verdict {
  if (kind === 'prompt') return { decision: 'deny', reason: stop }
  return { stop }
}

function changes({ specific }: ClaudeShape, place: Place): Verdict {
  const { event, moment, names } = place
  if (moment.kind === 'tool-pre') {
    const { tool_input: input } = specific
    if (input === undefined) return {}
    if (!isObject(input)) return failed('It has a wrong tool_input.')
    const { name } = moment.call
    const added = outOfWordsOf(vocabulary, name, input)
    return { updatedInput: { ...moment.call.input, ...added } }
  }
  if (moment.kind === 'model-post') {
    const { llm_response: given } = specific
    if (given === undefined) return {}
    const made = updatedResponse(given, moment.response)
    return made
      ? { updatedResponse: made }
      : failed('It has a wrong llm_response.')
  }
  if (moment.kind !== 'model-pre') return {}
  if (event === 'BeforeToolSelection') {
    return selectTools(moment.request, specific['toolConfig'], names)
  }
  const { llm_request: request, llm_response: response } = specific
  if (response !== undefined) {
    const made = updatedResponse(response)
    return made
      ? { updatedResponse: made }
      : failed('It has a wrong llm_response.')
  }
  if (request === undefined) return {}
  const made = updatedRequest(moment.request, request)
  return made ? { updatedRequest: made } : failed('It has a wrong llm_request.')
}
