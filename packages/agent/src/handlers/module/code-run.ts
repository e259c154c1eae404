import type { Answer, Decision } from 'hookline'
import type { AgentScope } from 'hookline/lifecycle'
import { copyJson } from '../../data/copy-json.ts'
import { cutText } from '../../data/cut-text.ts'
import { errorText } from '../../data/error-text.ts'
import { writeAnswer } from '../answer/write-answer.ts'
import type { Deadline } from '../deadline.ts'
import type { WireContribution } from '../definition.ts'
import type { Envelope, HandlerReply } from '../handler.ts'
import { HandlerFailure } from '../handler-failure.ts'
import { errorPlace, type ModulePlace } from './error-place.ts'

/** What code that is called by name or by file gets beside its input. */
export interface CodeContext {
  readonly run: string
  readonly hook: string
  readonly point: string
  readonly scope: AgentScope
  /** What was decided; only where nobody waits. */
  readonly decision?: Decision
  /** Aborted when the answer no longer counts. */
  readonly signal: AbortSignal
  /** How much time is left to answer. */
  readonly remainingMs: number
  /** Counts once it has answered in time; throws where it is no data. */
  readonly contribute: (contribution: WireContribution) => void
  /** Adds a line to the record of the run. */
  readonly diagnose: (code: string, message: string) => void
}

/**
 * Code of a module or a builtin: gets the input of the point, and returns an
 * answer as a hook does. Nothing is one only where nothing can be decided.
 */
export type CodeRun<Input = never> = (
  input: Input,
  context: CodeContext,
) => Said | PromiseLike<Said>

// biome-ignore lint/suspicious/noConfusingVoidType: it is a return type
type Said = Answer | undefined | void

/** What a call of code needs from whoever makes it. */
export interface CodeCall {
  readonly envelope: Envelope
  readonly getSignal: () => AbortSignal
  readonly remainingMs: () => number
  readonly diagnose: (code: string, message: string) => void
  readonly maxBytes: number
  /** Where the code is, if it is in a file. */
  readonly module?: ModulePlace
}

const maxMessagePoints = 500

/** Calls code, and gives the text of its answer. */
export async function runCode(run: CodeRun, call: CodeCall): Promise<string> {
  const { envelope, maxBytes, module } = call
  const contributions: WireContribution[] = []
  const context = contextOf(call, contributions)
  let given: unknown
  try {
    // The input is of the point that the code was written for.
    given = await run(envelope.input as never, context)
  } catch (thrown) {
    throw thrownFailure(thrown, module)
  }
  return writeAnswer(given, {
    run: envelope.run,
    contributions,
    isUnwaited: envelope.decision !== undefined,
    maxBytes,
  })
}

/** What code threw, as a failure that says where. */
export function thrownFailure(
  thrown: unknown,
  module?: ModulePlace,
): HandlerFailure {
  if (thrown instanceof HandlerFailure) return thrown
  const place = module && errorPlace(thrown, module)
  const where = place === undefined ? '' : ` at ${place}`
  const what = cutText(errorText(thrown), maxMessagePoints)
  return new HandlerFailure('crashed', `It threw${where}: ${what}`, thrown)
}

/** Calls code for no longer than there is time. */
export async function runCodeWithin(
  deadline: Deadline,
  run: CodeRun,
  call: Omit<CodeCall, 'getSignal' | 'remainingMs'>,
): Promise<HandlerReply> {
  const answered = runCode(run, {
    ...call,
    getSignal: () => deadline.signal,
    remainingMs: () => deadline.remainingMs,
  })
  return { text: await deadline.within(answered) }
}

function contextOf(
  { envelope, getSignal, remainingMs, diagnose }: CodeCall,
  contributions: WireContribution[],
): CodeContext {
  const { run, hook, point, scope, decision } = envelope
  return {
    run,
    hook,
    point,
    scope,
    ...(decision !== undefined && { decision }),
    get signal() {
      return getSignal()
    },
    get remainingMs() {
      return remainingMs()
    },
    contribute: (contribution) => {
      const { kind, value } = contribution
      const copied = copyJson(value)
      if (typeof kind !== 'string' || copied.issue !== undefined) {
        const message = 'It contributed what is no plain data of a kind.'
        throw new HandlerFailure('invalid', message)
      }
      contributions.push({ kind, value: copied.value })
    },
    diagnose: (code, message) => diagnose(String(code), String(message)),
  }
}
