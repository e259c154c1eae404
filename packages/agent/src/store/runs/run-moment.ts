import { ownValue } from '../../data/copy-json.ts'
import { canonicalJson } from '../../seal/canonical-json.ts'

/** Where a run was: the ids of its scope. */
export interface RunMoment {
  readonly agent: string | undefined
  readonly sessionId: string | undefined
  readonly turnId: string | undefined
  /** All of them, as part of an idempotency key. */
  readonly text: string
}

const known = new WeakMap<object, RunMoment>()

/** The same scope is that of many runs. */
export function momentOf(scope: object): RunMoment {
  const before = known.get(scope)
  if (before !== undefined) return before
  const agent = textIn(scope, 'agent')
  const sessionId = textIn(scope, 'sessionId')
  const turnId = textIn(scope, 'turnId')
  const step = ownValue(scope, 'step')
  const isStep = typeof step === 'number'
  const ids = [agent, sessionId, turnId, isStep ? step : undefined]
  const text = canonicalJson(ids.map((id) => id ?? null))
  const moment = { agent, sessionId, turnId, text }
  if (Object.isFrozen(scope)) known.set(scope, moment)
  return moment
}

/** The call that a run is about, if it is about one. */
export function callIdOf(point: string, input: unknown): string | undefined {
  if (typeof input !== 'object' || input === null) return undefined
  const call = ownValue(input, 'call')
  if (typeof call === 'object' && call !== null) return textIn(call, 'id')
  const isCall = point === 'tool.pre_call' || point === 'tool.guard'
  return isCall ? textIn(input, 'id') : undefined
}

function textIn(holder: object, name: string): string | undefined {
  const value = ownValue(holder, name)
  return typeof value === 'string' ? value : undefined
}
