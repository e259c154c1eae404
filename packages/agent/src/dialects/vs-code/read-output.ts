import type { JsonObject } from 'hookline/lifecycle'
import { honoured } from '../capability.ts'
import { defined, isNamed, readClaudeShape } from '../claude-shape.ts'
import type { ForeignHook } from '../dialect.ts'
import type { HandlerEnd } from '../dialect-facts.ts'
import {
  failed,
  finishOf,
  reasonIn,
  tooMuch,
  vetoedLoudly,
} from '../handler-ends.ts'
import { outputKeys } from '../is-output.ts'
import { strongest } from '../merge-verdicts.ts'
import type { Moment } from '../moment.ts'
import { readPrinted } from '../printed.ts'
import { unlessWrong, verdictIn } from '../printed-verdict.ts'
import type { Verdict } from '../verdict.ts'
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
  const said = isStdoutCut ? tooMuch : readStdout(stdout, moment)
  const verdict = exitCode === 2 ? vetoOf(said, stderr, moment) : said
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

function vetoOf(said: Verdict, stderr: string, moment: Moment): Verdict {
  const given = said.decision === 'deny' ? said.reason : said.keepGoing
  const reason =
    given ?? reasonIn(stderr) ?? 'A hook blocks it and gives no reason.'
  return vetoedLoudly(said, denied(reason, moment), stderr)
}

function readStdout(stdout: string, moment: Moment): Verdict {
  const printed = readPrinted(stdout, outputKeys)
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
    decision:
      moment.kind === 'tool-pre'
        ? strongest([permission, decision === 'ask' ? decision : undefined])
        : undefined,
    reason: shape.permissionReason ?? reason,
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
  const isOther =
    verdict.decision === 'allow' && !isNamed(shape, ['PreToolUse'])
  const problems = isOther
    ? [...shape.problems, 'hookEventName']
    : shape.problems
  return unlessWrong(verdict, { problems })
}
