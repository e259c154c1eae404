import { defineHook, proceed, respond, type State } from 'hookline'
import {
  llmError,
  type ModelError,
  type ModelRequest,
  notice,
} from 'hookline/lifecycle'
import { mayPass } from '../shared/circuits/circuit.ts'
import { circuitAt, holderOf, modelKey } from '../shared/circuits/circuits.ts'
import { noteCall, type Place, readCall } from './calls.ts'
import { type Fallback, listedModels } from './fallback.ts'
import { defaultCodes } from './options.ts'
import { isResting, type Rests, restFor, withRest } from './rests.ts'

/** Has another model asked when one could not answer. */
export function changeModel(fallback: Fallback) {
  const { name, calls, options } = fallback
  const { codes = defaultCodes, byCode = {} } = options
  return defineHook({
    name: `${name}:change`,
    on: llmError,
    handler: { version: '1' },
    // After whoever tries the same model again.
    priority: 120,
    capabilities: ['notice'],
    async run({ request, error, isReleased }, { scope, state, contribute }) {
      const { model } = request
      const listed = Object.hasOwn(byCode, error.code)
        ? byCode[error.code]
        : undefined
      const isMeant = listed !== undefined || codes.includes(error.code)
      if (isReleased || !isMeant) return proceed
      const place = { scope, state }
      const now = fallback.now()
      const resting = await noteRest(fallback, state, { model, error, now })
      const call = await readCall(calls, place)
      const own = call?.own ?? model
      const tried = [...new Set([...(call?.tried ?? []), model])]
      const names = listed ?? [own, ...listedModels(fallback)]
      const wish = { request, names, tried, resting, now }
      const current = await nextModel(fallback, place, wish)
      if (current === undefined) return proceed
      await noteCall(calls, place, { own, current, tried })
      const message = `"${model}" could not answer (${error.code}); "${current}" is asked instead.`
      contribute(notice({ level: 'warning', message }))
      return respond({ type: 'switch_model', model: current })
    },
  })
}

interface Failed {
  readonly model: string
  readonly error: ModelError
  readonly now: number
}

/** Has the model rest that failed; gives all that do. */
async function noteRest(
  { options, rests }: Fallback,
  state: State,
  { model, error, now }: Failed,
): Promise<Rests> {
  const forMs = restFor(error, options.stickFor ?? { minutes: 5 })
  if (forMs === 0) return await state.get(rests)
  return await state.update(rests, (before) =>
    withRest(before, model, { now, forMs }),
  )
}

interface Wish {
  readonly request: ModelRequest
  readonly names: readonly string[]
  readonly tried: readonly string[]
  readonly resting: Rests
  readonly now: number
}

/** One that does not rest, else one that does; none where all have failed. */
async function nextModel(
  { fitting, circuits }: Fallback,
  { scope, state }: Place,
  { request, names, tried, resting, now }: Wish,
): Promise<string | undefined> {
  const all = await state.get(circuits)
  const call = { holder: holderOf(scope), now }
  const left = fitting(names, request).filter(
    (one) =>
      !tried.includes(one) && mayPass(circuitAt(all, modelKey(one)), call),
  )
  return left.find((one) => !isResting(resting, one, now)) ?? left[0]
}
