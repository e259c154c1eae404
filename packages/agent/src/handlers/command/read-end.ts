import { readAnswer } from '../answer/read-answer.ts'
import type { HandlerReply, WireAnswer } from '../handler.ts'
import { HandlerFailure } from '../handler-failure.ts'
import { isAccidentalExit } from './accidental-exit.ts'
import type { CommandEnd } from './command-runner.ts'
import { cleanOutput } from './command-text.ts'
import { tellingLine } from './telling-line.ts'
import type { Exceeded } from './watch-limits.ts'

export interface EndReader {
  /** What it is called in messages. */
  readonly program: string
  readonly run: string
  /** Values that no message may repeat. */
  readonly secrets: readonly string[]
  readonly diagnose: (code: string, message: string) => void
}

/**
 * What a command has said by the way it ended: 0 and an answer, 2 and a
 * reason for its veto. Everything else is a failure, unless it has printed a
 * refusal: that counts whatever happened afterwards.
 */
export function readEnd(end: CommandEnd, reader: EndReader): HandlerReply {
  if (end.isTimedOut) throw timedOut(end, reader)
  if (end.exceeded !== undefined) throw tooMuch(end.exceeded, reader)
  if (end.exitCode === 2) return { text: '', veto: vetoOf(end, reader) }
  const isUsable = !end.isStdoutCut && end.isInvalidText !== true
  if (end.exitCode === 0 && isUsable) {
    checkAlone(end.stdout, reader)
    return { text: end.stdout }
  }
  const refusal = refusalIn(end, reader)
  if (refusal !== undefined) return { text: end.stdout }
  throw failureOf(end, reader)
}

/** A stray print is the usual mistake: what was printed shows it. */
function checkAlone(stdout: string, { program, secrets }: EndReader): void {
  const text = stdout.replace(/^\ufeff/, '').trim()
  const isBegun = text.startsWith('{')
  if (text === '' || (isBegun && text.endsWith('}'))) return
  const lines = text.split('\n')
  const line = (isBegun ? lines.at(-1) : lines[0]) ?? ''
  const shown = cleanOutput(line, { secrets, maxPoints: maxQuote })
  const where = isBegun ? 'ends' : 'begins'
  const message = `"${program}" printed what is no JSON; print the answer alone, and notes on stderr. It ${where}: ${shown}`
  throw new HandlerFailure('invalid', message)
}

function vetoOf(end: CommandEnd, reader: EndReader): string {
  const { stderr } = end
  if (isAccidentalExit(stderr)) {
    const line = said(tellingLine(stderr), reader)
    reader.diagnose(
      'accidental-exit',
      `"${reader.program}" exited with code 2, which is a veto, but it looks as if it had not run: ${line}`,
    )
  }
  const reason = cleanOutput(stderr, { ...reader, maxPoints: maxReason })
  if (reason !== '') return reason
  const printed = refusalIn(end, reader)?.answer['reason']
  const isGiven = typeof printed === 'string' && printed.trim() !== ''
  return isGiven ? printed : 'A command refused this and gave no reason.'
}

const maxReason = 4_000
const maxLine = 300
const maxQuote = 80

/** What it printed, if that is a refusal. */
function refusalIn(
  { stdout, isStdoutCut }: CommandEnd,
  { run }: EndReader,
): WireAnswer | undefined {
  if (isStdoutCut) return undefined
  try {
    const read = readAnswer(stdout, { run })
    return read.answer.type === 'reject' ? read : undefined
  } catch {
    return undefined
  }
}

function failureOf(end: CommandEnd, reader: EndReader): HandlerFailure {
  const { program } = reader
  if (end.isStdoutCut) {
    return new HandlerFailure(
      'too-large',
      `"${program}" printed more than it may; print an answer alone, or raise maxStdoutBytes.`,
    )
  }
  if (end.signal !== undefined) {
    return new HandlerFailure(
      'crashed',
      `"${program}" was ended by ${end.signal}.${hint(end, reader)}`,
    )
  }
  if (end.exitCode === 0) {
    return new HandlerFailure(
      'invalid',
      `"${program}" printed what is no UTF-8; print the answer as UTF-8.`,
    )
  }
  return new HandlerFailure(
    'bad-exit',
    `"${program}" exited with code ${end.exitCode}.${hint(end, reader)}`,
  )
}

function timedOut(end: CommandEnd, { program }: EndReader): HandlerFailure {
  const how = end.isUnkillable
    ? 'and could not be ended: it waits for a disk or a device'
    : 'and was ended'
  return new HandlerFailure(
    'timed-out',
    `"${program}" took longer than it may (${Math.round(end.elapsedMs)} ms) ${how}.`,
  )
}

function tooMuch(what: Exceeded, { program }: EndReader): HandlerFailure {
  const isMemory = what === 'memory'
  return new HandlerFailure(
    isMemory ? 'out-of-memory' : 'crashed',
    `"${program}" took more ${what} than it may and was ended; raise ${isMemory ? 'maxMemoryMb' : 'maxProcesses'} of its sandbox.`,
  )
}

function hint({ stderr }: CommandEnd, reader: EndReader): string {
  const line = said(tellingLine(stderr), reader)
  return line === '' ? ' It said nothing on stderr.' : ` It said: ${line}`
}

function said(text: string, { secrets }: EndReader): string {
  return cleanOutput(text, { secrets, maxPoints: maxLine })
}
