import type { JsonObject } from 'hookline/lifecycle'
import { honoured } from '../capability.ts'
import { defined, readClaudeShape } from '../claude-shape.ts'
import type { ForeignHook } from '../dialect.ts'
import type { HandlerEnd } from '../dialect-facts.ts'
import { failed, finishOf, reasonIn, withAccident } from '../handler-ends.ts'
import type { Moment } from '../moment.ts'
import { readPrinted } from '../printed.ts'
import { verdictIn } from '../printed-verdict.ts'
import { type Verdict, withLapse } from '../verdict.ts'
import { outOfWordsOf } from '../vocabulary.ts'
import { capabilities } from './capabilities.ts'
import { vocabulary } from './vocabulary.ts'

/** What the end of a hook of VS Code means. */
export function readOutput(
  end: HandlerEnd,
  { event }: ForeignHook,
  moment: Moment,
): Verdict {
  const finished = finishOf(end)
  if (typeof finished === 'string') return failed(finished)
  const { exitCode, stdout, stderr, isStdoutCut } = finished
  if (exitCode !== 0 && exitCode !== 2) {
    const warning = reasonIn(stderr)
    const notices = warning === undefined ? [] : [warning]
    return failed(`It exited with ${exitCode}.`, { notices })
  }
  const said = readStdout(isStdoutCut ? '{' : stdout, moment)
  const verdict = exitCode === 2 ? vetoed(said, stderr, moment) : said
  return honoured(stopped(verdict, moment), event, [
    ...(capabilities[event] ?? []),
    ...(moment.kind === 'compact-pre' ? (['deny'] as const) : []),
  ])
}

/** To stop before something begins is to refuse it. */
function stopped(verdict: Verdict, { kind }: Moment): Verdict {
  const { stop, ...rest } = verdict
  if (stop === undefined || kind !== 'compact-pre') return verdict
  return { ...rest, decision: 'deny', reason: stop }
}

/** What a no is at a moment: a denial, feedback, or to go on. */
export function denied(reason: string, { kind }: Moment): Verdict {
  if (kind === 'prompt' || kind === 'tool-pre')
    return { decision: 'deny', reason }
  if (kind === 'tool-post') return { context: [reason] }
  if (kind === 'stop' || kind === 'subagent-stop') return { keepGoing: reason }
  return {}
}

function vetoed(said: Verdict, stderr: string, moment: Moment): Verdict {
  const given = said.decision === 'deny' ? said.reason : said.keepGoing
  const reason =
    given ?? reasonIn(stderr) ?? 'A hook blocks it and gives no reason.'
  const { failure: _, decision, ...rest } = said
  const denial: Verdict = { ...rest, ...denied(reason, moment) }
  if (decision === 'allow' || decision === 'ask') {
    const message = `It exited with 2 but says "${decision}"; it is denied.`
    return withLapse(denial, 'sloppy-output', message)
  }
  return withAccident(denial, stderr)
}

function readStdout(stdout: string, moment: Moment): Verdict {
  const printed = readPrinted(stdout)
  if (printed.type === 'nothing' || printed.type === 'text') return {}
  return verdictIn(printed, (document) => readDocument(document, moment))
}

function readDocument(document: JsonObject, moment: Moment): Verdict {
  const shape = readClaudeShape(document)
  const { stop, decision, reason, permission, updatedInput } = shape
  const isBlocked = decision === 'block' || decision === 'deny'
  const blocked = isBlocked
    ? denied(reason ?? 'A hook blocks it and gives no reason.', moment)
    : {}
  const added = shape.additionalContext
  const verdict = defined<Verdict>({
    decision: moment.kind === 'tool-pre' ? permission : undefined,
    reason: shape.permissionReason,
    ...blocked,
    updatedInput:
      moment.kind === 'tool-pre' && updatedInput !== undefined
        ? outOfWordsOf(vocabulary, moment.call.name, updatedInput)
        : undefined,
    stop,
    context: [
      ...(blocked.context ?? []),
      ...(added === undefined ? [] : [added]),
    ],
    notices: shape.systemMessage === undefined ? [] : [shape.systemMessage],
  })
  if (shape.problems.length === 0 || verdict.decision === 'deny') return verdict
  return failed(`It has a wrong ${shape.problems.join(', ')}.`)
}
