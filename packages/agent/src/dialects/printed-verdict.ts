import type { JsonObject } from 'hookline/lifecycle'
import { type ClaudeShape, defined } from './claude-shape.ts'
import { failed } from './handler-ends.ts'
import { unlessLost } from './lost-arguments.ts'
import { strength } from './merge-verdicts.ts'
import type { Piece, Printed } from './printed.ts'
import { refuses, refusing } from './refusal.ts'
import { type Verdict, withLapse } from './verdict.ts'

/** What has a document in it, or was to be one. */
export type PrintedDocument = Extract<Printed, { type: 'document' | 'broken' }>

/**
 * What a document says. One that is broken, or stands among other things, can
 * neither allow nor change what is to happen: nobody knows whose words it
 * repeats.
 */
export function verdictIn(
  printed: PrintedDocument,
  read: (document: JsonObject) => Verdict,
): Verdict {
  if (printed.type === 'document') {
    if (!printed.isNoisy) {
      const { document } = printed
      return unlessLost(read(document), document)
    }
    const verdicts = printed.pieces.map((piece) => verdictOf(piece, read))
    const { problem } = printed
    return fromNoise(problem ? [...verdicts, failed(problem)] : verdicts)
  }
  if (printed.document === undefined) return failed(printed.problem)
  return refusalIn(read(printed.document), printed.problem)
}

function verdictOf(
  { document, problem }: Piece,
  read: (document: JsonObject) => Verdict,
): Verdict {
  const verdict = read(document)
  // A log has numbers of all kinds; what says nothing has nothing wrong.
  if (problem === undefined || !saysSomething(verdict)) return verdict
  return refusalIn(verdict, problem)
}

/** A verdict that can only refuse: one that does not is a failure. */
export function refusalIn(verdict: Verdict, problem: string): Verdict {
  const refusal = refusing(verdict)
  // Where a failure blocks, a question is not enough.
  if (!refuses(refusal) || verdict.failure !== undefined) {
    return failed(problem, refusal)
  }
  const heard = withLapse(refusal, 'sloppy-output', problem)
  return { ...heard, doubt: problem }
}

/**
 * A document with fields of a wrong type can only refuse. Where a product takes
 * only some fields, only those can be wrong.
 */
export function unlessWrong(
  verdict: Verdict,
  { problems }: Pick<ClaudeShape, 'problems'>,
  taken: readonly string[] = problems,
): Verdict {
  const wrong = [...new Set(problems)].filter((field) => taken.includes(field))
  if (wrong.length === 0) return verdict
  const problem = `It has a wrong ${wrong.join(', ')}.`
  if (verdict.decision === 'deny') return { ...verdict, doubt: problem }
  return failed(problem, refusing(verdict))
}

const noise =
  'It has printed more than one document, or more than a document, which can only refuse, withhold and tell.'

/**
 * As of several hooks the strongest decision counts, of equals the last, and
 * all that is told. One that has failed has failed.
 */
function fromNoise(verdicts: readonly Verdict[]): Verdict {
  const { decision, reason } =
    strength
      .map((wanted) => verdicts.findLast((one) => one.decision === wanted))
      .find((one) => one !== undefined) ?? {}
  const failure = lastOf(verdicts, 'failure')
  const merged = defined<Verdict>({
    decision,
    reason,
    stop: lastOf(verdicts, 'stop'),
    keepGoing: lastOf(verdicts, 'keepGoing'),
    updatedOutput: lastOf(verdicts, 'updatedOutput'),
    updatedResponse: lastOf(verdicts, 'updatedResponse'),
    context: asOne(verdicts.flatMap(({ context = [] }) => context)),
    notices: asOne(verdicts.flatMap(({ notices = [] }) => notices)),
    lapses: verdicts.flatMap(({ lapses = [] }) => lapses).slice(0, maxLapses),
    failure,
  })
  return refusalIn(merged, failure ?? noise)
}

/** A record keeps sixteen lines, and the reason of a failure comes last. */
const maxLapses = 8

function asOne(texts: readonly string[]): readonly string[] {
  return texts.length < 2 ? texts : [texts.join('\n')]
}

function lastOf<Key extends keyof Verdict>(
  verdicts: readonly Verdict[],
  key: Key,
): Verdict[Key] | undefined {
  return verdicts.findLast((one) => one[key] !== undefined)?.[key]
}

/** Whether anything would be different without it. */
function saysSomething({ reason: _, lapses: __, ...rest }: Verdict): boolean {
  return Object.values(rest).some((part) =>
    Array.isArray(part) ? part.length > 0 : part !== undefined,
  )
}
