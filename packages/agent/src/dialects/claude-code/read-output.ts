import type { CommandEnd } from '../../handlers/command/command-runner.ts'
import { honoured } from '../capability.ts'
import type { ForeignHook } from '../dialect.ts'
import type { HandlerEnd } from '../dialect-facts.ts'
import { withAccident } from '../handler-ends.ts'
import type { Moment } from '../moment.ts'
import { readPrinted } from '../printed.ts'
import { type Verdict, withLapse } from '../verdict.ts'
import { blocked, eventOf } from './blocked.ts'
import { documentsIn, isOutput } from './documents.ts'
import { type Reading, readDocument } from './read-document.ts'
import { readPromptAnswer } from './read-prompt-answer.ts'

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
  switch (end.type) {
    case 'failure':
      return { failure: end.failure.message }
    case 'command':
      return readCommand(end.end, { hook, moment })
    case 'http': {
      const { status, body } = end.end
      if (status < 200 || status > 299) {
        return { failure: `The server answered with status ${status}.` }
      }
      const printed = readPrinted(body)
      if (printed.type === 'nothing') return {}
      if (printed.type === 'document' && !printed.isNoisy) {
        return readDocument(printed.document, { hook, moment })
      }
      return { failure: 'The server has not answered with a JSON object.' }
    }
    case 'tool':
      if (end.isError) return { failure: 'The tool has failed.' }
      return readStdout(end.text, { hook, moment })
    case 'prompt':
      return readPromptAnswer(end.text, hook)
  }
}

function readCommand(end: CommandEnd, reading: Reading): Verdict {
  const { exitCode, signal, stdout, stderr, isStdoutCut, isTimedOut } = end
  if (isTimedOut) return { failure: 'It took longer than its time.' }
  if (exitCode === 2) return readVeto(end, reading)
  if (isStdoutCut) return { failure: 'It has printed too much.' }
  if (exitCode === 0) return readStdout(stdout, reading)
  const printed = readPrinted(stdout)
  const isDecided = printed.type === 'document' && isOutput(printed.document)
  // The code does not count where there is a document.
  if (isDecided) return readStdout(stdout, reading)
  const how =
    exitCode === undefined ? `a signal (${signal})` : `exit code ${exitCode}`
  const [line = ''] = stderr.trim().split('\n', 1)
  const failure = `It ended with ${how}${line === '' ? '.' : `: ${line}`}`
  return line === '' ? { failure } : { failure, notices: [line] }
}

/** Exit code 2 blocks, whatever is printed; the rest of it still counts. */
function readVeto(
  { stdout, stderr, isStdoutCut }: CommandEnd,
  reading: Reading,
): Verdict {
  const { hook, moment } = reading
  const said = isStdoutCut ? {} : readStdout(stdout, reading)
  const { failure: _, updatedInput: __, decision, reason, ...rest } = said
  const own = decision === 'deny' ? reason : undefined
  const why = own ?? said.keepGoing ?? stderr.trim()
  const veto = withAccident(blocked(why, hook), stderr)
  const isAccident = veto.lapses?.some(({ code }) => code === 'accidental-exit')
  const { file } = hook.source
  const warning = `The hook in ${file}, line ${hook.place.line}, has blocked this, but it seems that it could not run.`
  return {
    ...rest,
    ...veto,
    context: [...(rest.context ?? []), ...(veto.context ?? [])],
    notices: [
      ...(rest.notices ?? []),
      ...(veto.notices ?? []),
      ...(isAccident ? [warning] : []),
    ],
    lapses: [...(rest.lapses ?? []), ...(veto.lapses ?? [])],
    ...(moment.kind === 'stop' &&
      said.stop !== undefined && { keepGoing: why }),
  }
}

/** Text that begins with `{` is a document, or tries to be one. */
function readStdout(stdout: string, reading: Reading): Verdict {
  const { takesText } = eventOf(reading.hook)
  const printed = readPrinted(stdout)
  switch (printed.type) {
    case 'nothing':
      return {}
    case 'text':
      return takesText ? { context: [printed.text] } : {}
    case 'broken':
      return { failure: `It has printed broken JSON. ${printed.problem}` }
    case 'document':
      if (!printed.isNoisy) return readDocument(printed.document, reading)
      return readNoisy(stdout, reading)
  }
}

/**
 * More than a document: the last one that says something counts, but an
 * "allow" among noise is none, and a "deny" is not taken back.
 */
function readNoisy(stdout: string, reading: Reading): Verdict {
  const { takesText } = eventOf(reading.hook)
  const verdicts = documentsIn(stdout)
    .filter(isOutput)
    .map((document) => readDocument(document, reading))
  const last = verdicts.at(-1)
  if (last === undefined) {
    if (!stdout.trim().startsWith('{')) {
      return takesText ? { context: [stdout.trim()] } : {}
    }
    return { failure: 'It has printed broken JSON.' }
  }
  const denial = verdicts.findLast(({ decision }) => decision === 'deny')
  const { decision, updatedInput: _, ...rest } = denial ?? last
  const isLoud = decision !== undefined && decision !== 'allow'
  return withLapse(
    { ...rest, ...(isLoud && { decision }) },
    'sloppy-output',
    'It has printed more than one JSON object; the last one that says something was read.',
  )
}
