import type { LlmPostCallInput, ModelErrorCode } from 'hookline/lifecycle'
import { costOf, type ModelPrice } from '../../index.ts'
import { type Amount, nothing, type Reservation } from './book.ts'
import type { BudgetOptions } from './options.ts'

type UnknownUse = NonNullable<BudgetOptions['unknownUse']>

const oneCall: Amount = Object.freeze({ ...nothing, calls: 1 })

/** Providers do not bill a call that they did not take. */
const unbilled: ReadonlySet<ModelErrorCode> = new Set([
  'rate_limited',
  'overloaded',
  'context_too_long',
  'invalid_request',
  'unauthorized',
])

/** What counts for a call of which nobody told what it used. */
export function unknownUseOf(
  { input, output, cost }: Reservation,
  unknownUse: UnknownUse,
): Amount {
  if (unknownUse === 'nothing') return oneCall
  if (unknownUse === 'worst') {
    return { ...oneCall, tokens: input + output, cost }
  }
  const share = input / Math.max(1, input + output)
  return { ...oneCall, tokens: input, cost: cost * share }
}

/** What a call has used as far as it says so; undefined: it was none. */
export function toldUseOf(
  ended: LlmPostCallInput,
  price: ModelPrice | undefined,
): Amount | undefined {
  const { elapsedMs: modelMs } = ended
  if (ended.type === 'error') return { ...oneCall, modelMs }
  const { usage } = ended.response
  const tokens = usage.inputTokens + usage.outputTokens
  if (tokens === 0) return undefined
  const cost = price === undefined ? 0 : costOf(usage, price)
  return { tokens, cost, calls: 1, modelMs }
}

/** What a call has used that has ended in this way. */
export function useOf(
  ended: LlmPostCallInput,
  reserved: Reservation,
  {
    price,
    unknownUse,
  }: {
    readonly price: ModelPrice | undefined
    readonly unknownUse: UnknownUse
  },
): Amount {
  const { elapsedMs: modelMs } = ended
  if (ended.type === 'error') {
    const isFree = unbilled.has(ended.error.code)
    const used = isFree ? oneCall : unknownUseOf(reserved, unknownUse)
    return { ...used, modelMs }
  }
  const { usage } = ended.response
  // No call uses nothing: the provider does not count, or does not tell.
  const isTold = usage.inputTokens > 0 || usage.outputTokens > 0
  if (!isTold) return { ...unknownUseOf(reserved, unknownUse), modelMs }
  const assumed = {
    input: unknownUse === 'nothing' ? 0 : reserved.input,
    output: unknownUse === 'worst' ? reserved.output : 0,
  }
  const told = {
    ...usage,
    inputTokens: usage.inputTokens || assumed.input,
    outputTokens: usage.outputTokens || assumed.output,
  }
  const tokens = told.inputTokens + told.outputTokens
  const cost = price === undefined ? 0 : costOf(told, price)
  return { tokens, cost, calls: 1, modelMs }
}
