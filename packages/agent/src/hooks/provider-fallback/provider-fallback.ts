import { defineHook, proceed, respond, transform } from 'hookline'
import {
  llmError,
  llmPreCall,
  type ModelRequest,
  notice,
} from 'hookline/lifecycle'
import { defineHooks } from '../../define-hooks.ts'
import { enter, mayPass } from '../shared/circuits/circuit.ts'
import {
  changedAt,
  circuitAt,
  circuitsCell,
  holderOf,
  modelKey,
} from '../shared/circuits/circuits.ts'
import { callsCell, noteCall, type Place, readCall } from './calls.ts'
import { fits, needsOf } from './fit.ts'
import {
  defaultCodes,
  type ProviderFallbackOptions,
  providerFallbackShape,
} from './options.ts'
import { isResting, restFor, restsCell, withRest } from './rests.ts'

/** Has another model answer where one cannot. */
export const providerFallback = defineHooks<ProviderFallbackOptions>({
  name: 'provider-fallback',
  description: 'Has another model answer where one cannot.',
  options: providerFallbackShape,
  create(given, { name, clock }) {
    const { stickFor = { minutes: 5 }, byCode = {} } = given
    const { codes = defaultCodes, breaker = 'circuit-breaker' } = given
    const known = new Map(given.models.map((one) => [one.model, one]))
    const rests = restsCell(name, given.per ?? 'session')
    const calls = callsCell(name)
    const circuits = circuitsCell(breaker)
    const wall = () => clock.wallAt(clock.now())

    /** Those of the names that can take the call, each once. */
    const fitting = (names: readonly string[], request: ModelRequest) => {
      const needs = needsOf(request)
      return [...new Set(names)].filter((one) => fits(known.get(one), needs))
    }
    /** Whether a breaker lets the call pass; it may be the one that tries. */
    const claim = async ({ scope, state }: Place, model: string) => {
      const key = modelKey(model)
      const asking = { holder: holderOf(scope), now: wall() }
      const circuit = circuitAt(await state.get(circuits), key)
      if (circuit?.openUntil === undefined) return true
      if (!mayPass(circuit, asking)) return false
      const all = await state.update(circuits, (before) =>
        changedAt(before, key, (one) => enter(one, asking)),
      )
      return mayPass(circuitAt(all, key), asking)
    }

    const begin = defineHook({
      name: `${name}:begin`,
      on: llmPreCall,
      handler: { version: '1' },
      // Before every gate: what they judge has to be the model that is called.
      priority: 20,
      writes: true,
      // It only chooses; whoever has to refuse a call comes later.
      onFailure: 'open',
      async run({ request, attempt }, { scope, state }) {
        const place = { scope, state }
        const noted = await readCall(calls, place)
        const call = attempt > 1 ? noted : undefined
        const own = call?.own ?? request.model
        // A retry comes with the model that the call was made with.
        const wanted =
          call && request.model === call.own ? call.current : request.model
        const resting = attempt > 1 ? {} : await state.get(rests)
        const now = wall()
        const isFresh = (model: string) => !isResting(resting, model, now)
        let chosen = wanted
        if (!(isFresh(wanted) && (await claim(place, wanted)))) {
          const tried = call?.tried ?? []
          const names = [own, ...known.keys(), wanted]
          const left = fitting(names, request).filter(
            (one) => !tried.includes(one),
          )
          const rested = left.filter((one) => !isFresh(one))
          // One that has failed lately is still better than none.
          for (const one of [...left.filter(isFresh), ...rested]) {
            if (!(await claim(place, one))) continue
            chosen = one
            break
          }
        }
        if (chosen !== own || noted !== undefined) {
          const tried = call?.tried ?? []
          const next = { own, current: chosen, tried }
          await noteCall(
            calls,
            place,
            chosen === own && !call ? undefined : next,
          )
        }
        if (chosen === request.model) return proceed
        return transform({ ...request, model: chosen })
      },
    })

    const change = defineHook({
      name: `${name}:change`,
      on: llmError,
      handler: { version: '1' },
      // After whoever tries the same model again.
      priority: 120,
      capabilities: ['notice'],
      async run({ request, error, isReleased }, context) {
        const { scope, state, contribute } = context
        const { model } = request
        const listed = Object.hasOwn(byCode, error.code)
          ? byCode[error.code]
          : undefined
        const isMeant = listed !== undefined || codes.includes(error.code)
        if (isReleased || !isMeant) return proceed
        const now = wall()
        const forMs = restFor(error, stickFor)
        const resting =
          forMs === 0
            ? await state.get(rests)
            : await state.update(rests, (before) =>
                withRest(before, model, { now, forMs }),
              )
        const call = await readCall(calls, { scope, state })
        const own = call?.own ?? model
        const tried = [...new Set([...(call?.tried ?? []), model])]
        const all = await state.get(circuits)
        const asking = { holder: holderOf(scope), now }
        const left = fitting(listed ?? [own, ...known.keys()], request).filter(
          (one) =>
            !tried.includes(one) &&
            mayPass(circuitAt(all, modelKey(one)), asking),
        )
        const next =
          left.find((one) => !isResting(resting, one, now)) ?? left[0]
        if (next === undefined) return proceed
        await noteCall(calls, { scope, state }, { own, current: next, tried })
        const message = `"${model}" could not answer (${error.code}); "${next}" is asked instead.`
        contribute(notice({ level: 'warning', message }))
        return respond({ type: 'switch_model', model: next })
      },
    })
    return [begin, change]
  },
})
