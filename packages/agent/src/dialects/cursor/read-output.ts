import type { JsonObject, JsonValue } from 'hookline/lifecycle'
import { honoured } from '../capability.ts'
import { defined, readClaudeShape } from '../claude-shape.ts'
import type { ForeignHook } from '../dialect.ts'
import type { HandlerEnd } from '../dialect-facts.ts'
import {
  failed,
  finishOf,
  reasonIn,
  tooMuch,
  vetoedLoudly,
} from '../handler-ends.ts'
import type { Moment } from '../moment.ts'
import { readPermission } from '../permission-word.ts'
import { isObject, type Printed, readPrinted } from '../printed.ts'
import { unlessWrong, verdictIn } from '../printed-verdict.ts'
import { type Verdict, withLapse } from '../verdict.ts'
import { outOfWordsOf, readMcpName } from '../vocabulary.ts'
import { capabilities } from './capabilities.ts'
import { contentOf } from './file-content.ts'
import { verdictOfPrompt } from './prompt.ts'
import { vocabulary } from './vocabulary.ts'

export interface CursorReading {
  readonly isStrict: boolean
  /** Variables that a session begins with. */
  readonly setEnv: (sessionId: string, env: JsonObject) => void
}

/** What the end of a hook of Cursor means. */
export function readOutput(
  end: HandlerEnd,
  hook: ForeignHook,
  moment: Moment,
  reading: CursorReading,
): Verdict {
  const verdict = verdictOf(end, hook, moment, reading)
  const isSeen = hook.event !== 'beforeReadFile' || moment.kind !== 'tool-pre'
  if (isSeen || verdict.decision === 'deny') return verdict
  const content = contentOf(moment.call)
  // It may have gone by the name of the file, and then only to refuse it.
  return content.type === 'text' ? verdict : failed(content.why, verdict)
}

function verdictOf(
  end: HandlerEnd,
  hook: ForeignHook,
  moment: Moment,
  reading: CursorReading,
): Verdict {
  const { event } = hook
  if (end.type === 'prompt') {
    const verdict = verdictOfPrompt(end.text)
    return honoured(verdict, event, capabilities[event] ?? [])
  }
  const finished = finishOf(end)
  if (typeof finished === 'string') return failed(finished)
  const { exitCode, stdout, stderr, isStdoutCut } = finished
  const isFailed = exitCode !== 0 && exitCode !== 2
  const read = (document: JsonObject) =>
    readDocument(document, hook, moment, reading)
  const printed = readPrinted(stdout)
  const said = isStdoutCut ? tooMuch : readStdout(printed, read)
  if (isFailed && said.decision !== 'deny') {
    return failed(`It exited with ${exitCode}.`)
  }
  const env = variablesIn(printed)
  const isHeard = !isFailed && said.failure === undefined
  if (isHeard && moment.kind === 'session-start' && env !== undefined) {
    reading.setEnv(moment.sessionId, env)
  }
  const settled = exitCode === 0 ? said : vetoOf(said, stderr, exitCode)
  const able = capabilities[event] ?? []
  // What Cursor takes and does not do is done in strict mode.
  const isAsked = reading.isStrict && able.includes('deny')
  return honoured(settled, event, isAsked ? [...able, 'ask'] : able)
}

function readStdout(
  printed: Printed,
  read: (document: JsonObject) => Verdict,
): Verdict {
  if (printed.type === 'nothing') return {}
  if (printed.type === 'text') return failed('It has not printed JSON.')
  return verdictIn(printed, read)
}

/**
 * Only a document that stands alone says what later commands find: among other
 * things nobody knows whose words it repeats.
 */
function variablesIn(printed: Printed): JsonObject | undefined {
  if (printed.type !== 'document' || printed.isNoisy) return undefined
  const { env } = printed.document
  return isObject(env) ? env : undefined
}

/** The code 2, or a denial with any code: an example that people copy has 3. */
function vetoOf(said: Verdict, stderr: string, exitCode: number): Verdict {
  const given = said.decision === 'deny' ? said.reason : undefined
  const reason = given ?? reasonIn(stderr)
  const denial = defined<Verdict>({ decision: 'deny', reason })
  if (exitCode === 2) return vetoedLoudly(said, denial, stderr)
  const message = `It exited with ${exitCode} but says "deny"; it is denied.`
  return withLapse(vetoedLoudly(said, denial, ''), 'sloppy-output', message)
}

function readDocument(
  document: JsonObject,
  { event, flags }: ForeignHook,
  moment: Moment,
  { isStrict }: CursorReading,
): Verdict {
  const text = (key: string) => textOf(document[key])
  const shape = readClaudeShape(document)
  // The older spelling is still in many scripts.
  const told = text('user_message') ?? text('userMessage')
  const agentMessage = text('agent_message') ?? text('agentMessage')
  const reason = agentMessage ?? told ?? shape.permissionReason
  const added = text('additional_context') ?? shape.additionalContext
  const shared: Verdict = {
    notices: told === undefined ? [] : [told],
    context: added === undefined ? [] : [added],
  }
  if (moment.kind === 'stop' || moment.kind === 'subagent-stop') {
    return {
      ...decided(document, shape.decision),
      ...following(text, flags, moment),
    }
  }
  const own = document['permission']
  const { decision, problems } = readPermission(own, 'permission', shape)
  const isStopped = moment.kind === 'prompt' && document['continue'] === false
  const verdict = defined<Verdict>({
    ...shared,
    keepGoing: text('followup_message'),
    decision: isStopped ? 'deny' : decision,
    reason: reason ?? shape.reason,
    ...changed(document, moment),
  })
  const checked = unlessWrong(verdict, { problems }, [
    'permission',
    'decision',
    'permissionDecision',
    ...(moment.kind === 'prompt' ? ['continue'] : []),
    ...(moment.kind === 'tool-pre' ? ['hookEventName'] : []),
  ])
  const isAsking = checked.failure === undefined && checked.decision === 'ask'
  if (!isAsking || capabilities[event]?.includes('ask')) return checked
  return asked(checked, event, isStrict)
}

function decided(
  { permission }: JsonObject,
  decision: string | undefined,
): Verdict {
  return permission === 'deny' || decision === 'deny'
    ? { decision: 'deny' }
    : {}
}

/** Cursor takes the word, and lets it pass all the same. */
function asked(verdict: Verdict, event: string, isStrict: boolean): Verdict {
  if (isStrict) return verdict
  const message = `Cursor does not ask anybody at ${event}, so that it goes on.`
  const { decision: _, updatedInput: __, ...rest } = verdict
  return withLapse(rest, 'not-honoured', message)
}

function following(
  text: (key: string) => string | undefined,
  flags: JsonObject,
  moment: Moment,
): Verdict {
  const keepGoing = text('followup_message')
  if (keepGoing === undefined) return {}
  const { loop_limit: limit = 5 } = flags
  const isOver =
    typeof limit === 'number' &&
    'continuesSoFar' in moment &&
    moment.continuesSoFar >= limit
  if (!isOver) return { keepGoing }
  const message = `It has gone on ${limit} times, which is its limit.`
  return withLapse({}, 'not-honoured', message)
}

function changed(document: JsonObject, moment: Moment): Verdict {
  if (moment.kind === 'tool-pre') {
    const { updated_input: input } = document
    if (input === undefined || input === null) return {}
    if (!isObject(input)) return failed('It has a wrong updated_input.')
    const { name } = moment.call
    return { updatedInput: outOfWordsOf(vocabulary, name, input) }
  }
  const { updated_mcp_tool_output: output } = document
  if (moment.kind !== 'tool-post' || output === undefined) return {}
  if (readMcpName(moment.call.name) === undefined) {
    const message = 'Cursor changes the results of MCP tools only.'
    return withLapse({}, 'not-honoured', message)
  }
  return {
    updatedOutput: typeof output === 'string' ? output : JSON.stringify(output),
  }
}

function textOf(value: JsonValue | undefined): string | undefined {
  return typeof value === 'string' && value.trim() !== '' ? value : undefined
}
