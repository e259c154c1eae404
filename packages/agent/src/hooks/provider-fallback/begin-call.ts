import { defineHook, proceed, transform } from 'hookline'
import { llmPreCall, type ModelRequest } from 'hookline/lifecycle'
import { noteCall, type Place, readCall } from './calls.ts'
import { type Fallback, listedModels } from './fallback.ts'
import { isResting } from './rests.ts'

/** Has a call begin with a model that can answer. */
export function beginCall(fallback: Fallback) {
  const { name, calls, rests } = fallback
  return defineHook({
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
      const isRetry = attempt > 1
      const noted = await readCall(calls, place)
      const call = isRetry ? noted : undefined
      const { own = request.model, tried = [] } = call ?? {}
      // A retry comes with the model that the call was made with.
      const wanted =
        call && request.model === call.own ? call.current : request.model
      const now = fallback.now()
      const resting = isRetry ? {} : await state.get(rests)
      const current = await choose(fallback, place, {
        ...{ request, own, wanted, tried },
        isFresh: (model) => !isResting(resting, model, now),
      })
      if (current !== own || noted !== undefined) {
        const isPlain = current === own && call === undefined
        const next = isPlain ? undefined : { own, current, tried }
        await noteCall(calls, place, next)
      }
      if (current === request.model) return proceed
      return transform({ ...request, model: current })
    },
  })
}

interface Wish {
  readonly request: ModelRequest
  readonly own: string
  readonly wanted: string
  readonly tried: readonly string[]
  /** Whether a model has not failed lately. */
  readonly isFresh: (model: string) => boolean
}

/** The model that is wanted if it is well, else the first that may be called. */
async function choose(
  fallback: Fallback,
  place: Place,
  { request, own, wanted, tried, isFresh }: Wish,
): Promise<string> {
  if (isFresh(wanted) && (await fallback.claim(place, wanted))) return wanted
  const names = [own, ...listedModels(fallback), wanted]
  const left = fallback
    .fitting(names, request)
    .filter((one) => !tried.includes(one))
  const rested = left.filter((one) => !isFresh(one))
  // One that has failed lately is still better than none.
  for (const one of [...left.filter(isFresh), ...rested]) {
    if (await fallback.claim(place, one)) return one
  }
  return wanted
}
