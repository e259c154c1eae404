import { isAccidentalExit } from '../handlers/command/accidental-exit.ts'
import type { CommandEnd } from '../handlers/command/command-runner.ts'
import { defined } from './claude-shape.ts'
import type { HandlerEnd } from './dialect-facts.ts'
import { type Verdict, withLapse } from './verdict.ts'

/** A handler that ran to its end: what it has printed, and its code. */
export interface Finished {
  readonly exitCode: number
  readonly stdout: string
  readonly stderr: string
  readonly isStdoutCut: boolean
}

/** What an end comes to: it is finished, or in words why it is not. */
export function finishOf(handler: HandlerEnd): Finished | string {
  if (handler.type === 'command') return finishOfCommand(handler.end)
  if (handler.type === 'failure') return handler.failure.message
  if (handler.type === 'http') {
    const { status, body } = handler.end
    if (status < 200 || status > 299) return `The server answered ${status}.`
    return { ...silent, stdout: body }
  }
  if (handler.type === 'tool' && handler.isError) return 'The tool has failed.'
  return { ...silent, stdout: handler.text }
}

export function isTimedOut(end: HandlerEnd): boolean {
  if (end.type === 'command') return end.end.isTimedOut
  return end.type === 'failure' && end.failure.code === 'timed-out'
}

const silent = { exitCode: 0, stdout: '', stderr: '', isStdoutCut: false }

function finishOfCommand(end: CommandEnd): Finished | string {
  const { exitCode, signal, isTimedOut } = end
  if (isTimedOut) return 'It has taken longer than its time.'
  if (exitCode === undefined) return `It was ended by ${signal ?? 'a signal'}.`
  const { stdout, stderr, isStdoutCut } = end
  return { exitCode, stdout, stderr, isStdoutCut }
}

/** No answer; whether all goes on is decided where the hook was asked. */
export function failed(why: string, more: Verdict = {}): Verdict {
  return { ...more, failure: why }
}

/** What is said of output that nobody has all of. */
export const tooMuch: Verdict = failed('It has printed too much.')

/** The code 2 wins over what was printed; what else was said still counts. */
export function vetoed(
  said: Verdict,
  denial: Verdict,
  stderr: string,
): Verdict {
  const { decision, reason, ...more } = said
  const { failure: _, doubt: __, updatedInput: ___, ...rest } = more
  const isDenied = decision === 'deny' && denial.decision === undefined
  const verdict = {
    ...rest,
    // Where the code denies nothing, a denial is not undone by it.
    ...(isDenied && defined<Verdict>({ decision, reason })),
    ...denial,
    context: [...(rest.context ?? []), ...(denial.context ?? [])],
    notices: [...(rest.notices ?? []), ...(denial.notices ?? [])],
    lapses: [...(rest.lapses ?? []), ...(denial.lapses ?? [])],
  }
  return withAccident(verdict, stderr)
}

/** The same where the product does not say which of the two counts. */
export function vetoedLoudly(
  said: Verdict,
  denial: Verdict,
  stderr: string,
): Verdict {
  const { decision } = said
  const verdict = vetoed(said, denial, stderr)
  if (decision !== 'allow' && decision !== 'ask') return verdict
  const message = `It exited with 2 but says "${decision}"; it is denied.`
  return withLapse(verdict, 'sloppy-output', message)
}

/** A code 2 that most likely comes from an interpreter that could not begin. */
export function withAccident(verdict: Verdict, stderr: string): Verdict {
  if (!isAccidentalExit(stderr)) return verdict
  const message =
    'It was blocked, but it seems that the hook could not run; see what it has printed.'
  return withLapse(verdict, 'accidental-exit', message)
}

/** The reason that a text gives: its own, or that of a document in it. */
export function reasonIn(text: string): string | undefined {
  const trimmed = text.trim()
  return trimmed === '' ? undefined : trimmed.slice(0, 10_000)
}
