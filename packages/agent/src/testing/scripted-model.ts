import { type Clock, type MaybePromise, systemClock } from 'hookline'
import type {
  ModelAbilities,
  ModelRequest,
  ModelResponse,
} from 'hookline/lifecycle'
import type { GenerateOptions, Model, ModelPrice } from '../ports/model.ts'
import { ModelFailure } from '../ports/model-failure.ts'
import { type CompiledStep, compileStep, responseOf } from './compile-step.ts'
import { stepPlayer } from './play-step.ts'
import type { Script, ScriptFunction, ScriptStep } from './script-step.ts'
import { waitWhileWanted } from './wait.ts'

/** A model that says what its script says, and remembers what it was asked. */
export interface ScriptedModel extends Model {
  readonly requests: readonly ModelRequest[]
  /** Whether every step has been called; a function never ends. */
  readonly isDone: boolean
}

export interface ScriptedModelOptions {
  /** Default: all of them. */
  readonly abilities?: ModelAbilities
  readonly price?: ModelPrice
  /** Begins again at the end; the ids of calls count on. */
  readonly loop?: boolean
  /** For `afterMs`. Default: the system's. */
  readonly clock?: Clock
  /** How many requests it remembers, the latest. Default: all; in a loop 100. */
  readonly keepRequests?: number
}

const allAbilities: ModelAbilities = Object.freeze({
  tools: true,
  images: true,
  files: true,
  reasoning: true,
})

export function scriptedModel(
  script: Script,
  options: ScriptedModelOptions = {},
): ScriptedModel {
  const { abilities = allAbilities, price, loop = false } = options
  const { clock = systemClock, keepRequests = loop ? 100 : Infinity } = options
  const requests: ModelRequest[] = []
  const reader =
    typeof script === 'function' ? readFunction(script) : readList(script, loop)
  const play = stepPlayer(clock)
  let calls = 0

  return Object.freeze({
    abilities,
    ...(price && { price }),
    requests,
    get isDone() {
      return reader.isDone(calls)
    },
    generate(
      request: ModelRequest,
      asked: GenerateOptions,
    ): MaybePromise<ModelResponse> {
      requests.push(request)
      if (requests.length > keepRequests) requests.shift()
      const step = reader.next(request, ++calls)
      return step instanceof Promise
        ? waitWhileWanted(step, asked.signal).then((made) => play(made, asked))
        : play(step, asked)
    },
  })
}

/** Finds the step of a call. */
interface ScriptReader {
  next(request: ModelRequest, call: number): MaybePromise<CompiledStep>
  isDone(calls: number): boolean
}

function readList(script: readonly ScriptStep[], loop: boolean): ScriptReader {
  let toolCalls = 0
  const steps = script.map((step, index) => {
    const place = { number: index + 1, callsBefore: toolCalls }
    const compiled = compileStep(step, place)
    toolCalls += countCalls(step)
    return compiled
  })
  const next = (_request: ModelRequest, call: number) => {
    const index = loop ? (call - 1) % steps.length : call - 1
    const compiled = steps[index]
    if (!compiled) throw noStep(call)
    if (call <= steps.length || hasFixedIds(compiled.step)) return compiled
    const response = responseOf(compiled.step, toolCalls)
    toolCalls += countCalls(compiled.step)
    return { ...compiled, response }
  }
  return { next, isDone: (calls) => !loop && calls >= steps.length }
}

function readFunction(script: ScriptFunction): ScriptReader {
  let toolCalls = 0
  const compile = (step: ScriptStep, number: number) => {
    const compiled = compileStep(step, { number, callsBefore: toolCalls })
    toolCalls += countCalls(step)
    return compiled
  }
  const next = (request: ModelRequest, call: number) => {
    const step = script(request, call)
    return step instanceof Promise
      ? step.then((made) => compile(made, call))
      : compile(step, call)
  }
  return { next, isDone: () => false }
}

function countCalls({ calls }: ScriptStep): number {
  return calls?.length ?? 0
}

function hasFixedIds({ calls = [] }: ScriptStep): boolean {
  return calls.every(({ id }) => id !== undefined)
}

function noStep(call: number): ModelFailure {
  const message = `The script has no step ${call}; add one, or restart what plays it, such as a daemon, to begin again.`
  return new ModelFailure({
    code: 'invalid_request',
    message,
    isRetryable: false,
  })
}
