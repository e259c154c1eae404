import { honoured } from '../capability.ts'
import type { ForeignHook } from '../dialect.ts'
import type { HandlerEnd } from '../dialect-facts.ts'
import {
  type Finished,
  failed,
  finishOf,
  tooMuch,
  vetoed,
} from '../handler-ends.ts'
import { isOutput, outputKeys } from '../is-output.ts'
import type { Moment } from '../moment.ts'
import { type Printed, readPrinted } from '../printed.ts'
import { type PrintedDocument, verdictIn } from '../printed-verdict.ts'
import type { Verdict } from '../verdict.ts'
import { blocked, eventOf } from './blocked.ts'
import { isAsync } from './is-async.ts'
import { type Reading, readDocument } from './read-document.ts'
import { verdictOfPrompt } from './verdict-of-prompt.ts'

/** What the end of a handler means to the product. */
export function readOutput(
  end: HandlerEnd,
  hook: ForeignHook,
  moment: Moment,
): Verdict {
  const verdict = readEnd(end, hook, moment)
  const { can, isDeaf } = eventOf(hook)
  // Where a block is for the user, the user is told it all the same.
  const isTold = isDeaf === true && verdict.notices !== undefined
  const kept = isTold && !hasSpoken(end) ? [...can, 'tell-user' as const] : can
  return honoured(verdict, hook.event, kept)
}

/** Whether it has said something itself, beside its exit code. */
function hasSpoken(end: HandlerEnd): boolean {
  return end.type !== 'command' || end.end.stdout.trim() !== ''
}

function readEnd(end: HandlerEnd, hook: ForeignHook, moment: Moment): Verdict {
  const reading = { hook, moment }
  if (end.type === 'prompt') return verdictOfPrompt(end.text, hook)
  const finished = finishOf(end)
  if (typeof finished === 'string') return failed(finished)
  return end.type === 'http'
    ? readReply(finished.stdout, reading)
    : readFinished(finished, reading)
}

function readReply(body: string, reading: Reading): Verdict {
  const printed = readPrinted(body, outputKeys)
  if (printed.type === 'nothing') return {}
  if (printed.type === 'text') {
    return failed('The server has not answered with a JSON object.')
  }
  return verdictOf(printed, reading)
}

function readFinished(finished: Finished, reading: Reading): Verdict {
  const { exitCode, stdout, stderr, isStdoutCut } = finished
  if (exitCode === 2) return readVeto(finished, reading)
  if (isStdoutCut) return tooMuch
  // The code does not count where there is a document.
  if (exitCode === 0 || hasOutput(readPrinted(stdout, outputKeys))) {
    return readStdout(stdout, reading)
  }
  const [line = ''] = stderr.trim().split('\n', 1)
  const failure = `It exited with ${exitCode}${line === '' ? '.' : `: ${line}`}`
  // Of what runs in the background the model would read it, not the user.
  const isTold = line !== '' && !isAsync(reading.hook)
  return failed(failure, isTold ? { notices: [line] } : {})
}

/** Exit code 2 blocks, whatever is printed; the rest of it still counts. */
function readVeto(
  { stdout, stderr, isStdoutCut }: Finished,
  reading: Reading,
): Verdict {
  const { hook, moment } = reading
  const said = isStdoutCut ? {} : readStdout(stdout, reading)
  const own = said.decision === 'deny' ? said.reason : undefined
  const why = own ?? said.keepGoing ?? stderr.trim()
  const veto = vetoed(said, blocked(why, hook), stderr)
  const isAccident = veto.lapses?.some(({ code }) => code === 'accidental-exit')
  const { file } = hook.source
  const warning = `The hook in ${file}, line ${hook.place.line}, has blocked this, but it seems that it could not run.`
  return {
    ...veto,
    ...(isAccident && { notices: [...(veto.notices ?? []), warning] }),
    ...(moment.kind === 'stop' &&
      said.stop !== undefined && { keepGoing: why }),
  }
}

function readStdout(stdout: string, reading: Reading): Verdict {
  const { takesText } = eventOf(reading.hook)
  const printed = readPrinted(stdout, outputKeys)
  if (printed.type === 'nothing') return {}
  if (printed.type === 'text') {
    return takesText ? { context: [stdout.trim()] } : {}
  }
  return verdictOf(printed, reading)
}

function verdictOf(printed: PrintedDocument, reading: Reading): Verdict {
  return verdictIn(printed, (document) => readDocument(document, reading))
}

/** Whether there is a document for the product in it. */
function hasOutput(printed: Printed): boolean {
  if (printed.type === 'nothing' || printed.type === 'text') return false
  if (printed.type === 'document' && printed.isNoisy) {
    return printed.pieces.length > 0
  }
  return printed.document !== undefined && isOutput(printed.document)
}
