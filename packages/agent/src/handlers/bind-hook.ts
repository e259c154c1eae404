import {
  type Answer,
  type Hook,
  type HookContext,
  HookError,
  type ObserverContext,
  type Point,
  type PointShape,
  proceed,
} from 'hookline'
import type {
  AgentScope,
  ModelRequest,
  ModelResponse,
} from 'hookline/lifecycle'
import { canonicalJson } from '../seal/canonical-json.ts'
import { sha256 } from '../seal/sha256.ts'
import { readAnswer } from './answer/read-answer.ts'
import type { HandlerDefinition, HookDefinition } from './definition.ts'
import {
  type Envelope,
  type Handler,
  type HandlerCall,
  protocol,
} from './handler.ts'
import { HandlerFailure, type HandlerFailureCode } from './handler-failure.ts'
import { isWaited } from './is-waited.ts'

type Context = HookContext<PointShape> | ObserverContext<PointShape>

/** Calls a model for the hook that a context is of. */
export type CallModel = (
  context: HookContext<PointShape>,
  request: ModelRequest,
) => Promise<ModelResponse>

export interface BoundParts {
  /** The definition's, or the one it is given. */
  readonly name: string
  readonly point: Point
  readonly handler: Handler
  readonly callModel: CallModel
  /** Several answers come the same way: each has to say whose it is. */
  readonly mustNameRun?: boolean
}

/** A hook of the engine that asks a handler. */
export function bindHook(definition: HookDefinition, parts: BoundParts): Hook {
  const {
    handler: asked,
    on: _,
    mustAnswer: __,
    description: ___,
    ...rest
  } = definition
  const version = sha256(canonicalJson(definition)).slice(0, 16)
  const { name, point } = parts
  const { execution } = definition
  const isUnwaited = !isWaited({ on: point, execution })
  const about = { isUnwaited, ifSilent: silenceProblem(definition, point) }
  const { timeoutMs = defaultTimeoutMs } = definition
  const run = async (
    input: unknown,
    context: Context,
  ): Promise<Answer | HandlerFailure> => {
    try {
      const answer = await askHandler(input, context, parts, about)
      if (!isUnwaited || answer.type === 'proceed') return answer
      const message = `Nobody waits for it: its "${answer.type}" changes nothing.`
      context.diagnose('unheard-answer', message)
      return proceed
    } catch (error) {
      // The record has the failure of the hook; this says what it was.
      if (!(error instanceof HandlerFailure)) throw error
      const { code, message } = error
      const isLate = code === 'timed-out'
      const limit = isLate ? ` Its timeoutMs is ${timeoutMs}.` : ''
      context.diagnose(`handler.${code}`, `${message}${limit}`)
      if (isLate) await ended(context)
      // The engine finds that this is no answer; thrown, it would be another failure.
      if (!isUnwaited && noAnswers.has(code)) return error
      if (!error.isUnasked) throw error
      // The record keeps this apart from a handler that ran and failed.
      throw new HookError('unavailable', message, name, error)
    }
  }
  return Object.freeze({
    ...rest,
    name,
    on: point,
    handler: { id: name, kind: asked.type, version },
    // The answer is checked by the engine, against the point.
    run: run as Hook['run'],
  })
}

/** As the engine has it for hooks that say nothing. */
const defaultTimeoutMs = 30_000

/** Something was said, or was to be said, and is not what was asked for. */
const noAnswers: ReadonlySet<HandlerFailureCode> = new Set<HandlerFailureCode>([
  'invalid',
  'missing',
  'wrong-run',
])

/** Where the time of the hook is up as well, that is for the engine to say. */
async function ended({ signal, remainingMs }: Context): Promise<void> {
  if (signal.aborted || remainingMs > nearlyMs) return
  await new Promise<void>((resolve) => {
    signal.addEventListener('abort', () => resolve(), { once: true })
  })
}

const nearlyMs = 100

interface AskedAs {
  readonly isUnwaited: boolean
  /** What is wrong with silence, where it does not mean to go on. */
  readonly ifSilent: string | undefined
}

/**
 * A program that prints nothing may mean it. Code that returns nothing has
 * forgotten to, wherever there is something to decide.
 */
function silenceProblem(
  { handler: { type }, mustAnswer, execution }: HookDefinition,
  point: Point,
): string | undefined {
  const isCode = type === 'module' || type === 'builtin'
  const isDecider = isWaited({ on: point, execution }) && point.answers.size > 0
  if (isCode && isDecider) {
    return `It returned nothing, and ${point.name} is to be answered; return { type: 'proceed' }, which is \`proceed\` of hookline, to go on.`
  }
  if (mustAnswer !== true) return undefined
  return `It said nothing, and mustAnswer is set; ${saying[type]} an answer.`
}

const saying: Readonly<Record<HandlerDefinition['type'], string>> = {
  command: 'print',
  http: 'send',
  prompt: 'give',
  module: 'return',
  builtin: 'return',
}

async function askHandler(
  input: unknown,
  context: Context,
  { point, handler, callModel, mustNameRun = false }: BoundParts,
  { ifSilent, isUnwaited }: AskedAs,
): Promise<Answer> {
  const call: HandlerCall = {
    envelope: envelopeOf(input, context, isUnwaited),
    signal: context.signal,
    remainingMs: () => context.remainingMs,
    diagnose: (code, message) => context.diagnose(code, message),
    callModel: (request) => callModel(context, request),
  }
  const reply = await handler.ask(call)
  if (reply.veto !== undefined) return vetoOf(reply.veto, point)
  const { keys, depth, chars } = point.limits
  const { answer, contributions, diagnostics } = readAnswer(reply.text, {
    run: context.run,
    ifSilent,
    types: ['proceed', ...point.answers],
    mustNameRun: mustNameRun && reply.isBound !== true,
    // What the engine allows a value, and what stands around it.
    limits: { maxBytes: chars * 2, maxKeys: keys, maxDepth: depth + 2 },
  })
  for (const { code, message } of diagnostics) context.diagnose(code, message)
  for (const one of contributions) context.contribute(one)
  // The engine checks it once more, against the point.
  return answer as Answer
}

/** It counts whatever else was said. */
function vetoOf(reason: string, point: Point): Answer {
  if (point.answers.has('reject')) return { type: 'reject', reason }
  const allowed = [...point.answers].join(', ') || 'proceed'
  const message = `It vetoes, which ${point.name} does not allow; answer with: ${allowed}.`
  throw new HandlerFailure('invalid', message)
}

function envelopeOf(
  input: unknown,
  context: Context,
  isUnwaited: boolean,
): Envelope {
  const { hook, run, remainingMs, scope } = context
  return {
    protocol,
    point: context.point,
    hook,
    run,
    deadlineMs: Math.max(0, Math.floor(remainingMs)),
    // All points of the lifecycle have the scope of an agent.
    scope: scope as AgentScope,
    input,
    ...(isUnwaited && 'decision' in context && { decision: context.decision }),
  }
}
