import type { JsonObject } from 'hookline/lifecycle'
import { isSameData } from '../data/same-data.ts'
import { type Asking, askOne, type PlannedHook } from './ask-one.ts'
import type { Spoken } from './merge-verdicts.ts'
import type { Moment, MomentOf } from './moment.ts'
import { type Verdict, withLapse } from './verdict.ts'

/** Asks all hooks that a moment concerns, the way the product does. */
export async function askHandlers(
  planned: readonly PlannedHook[],
  moment: Moment,
  asking: Asking,
): Promise<readonly Spoken[]> {
  const meant = withoutDoubles(planned.filter(({ isMeant }) => isMeant(moment)))
  const hooks = meant.map(({ hook }) => hook)
  if (asking.facts.isSerial?.(hooks)) return askSerially(meant, moment, asking)
  const ask = (one: PlannedHook) => askOne(one, moment, asking)
  const spoken = await Promise.all(meant.map(ask))
  if (moment.kind !== 'tool-pre') return spoken
  return chainRewrites(planned, moment, spoken, asking)
}

/** One after the other, each about what the ones before have made of it. */
async function askSerially(
  meant: readonly PlannedHook[],
  moment: Moment,
  asking: Asking,
): Promise<readonly Spoken[]> {
  const spoken: Spoken[] = []
  let current = moment
  for (const one of meant) {
    const said = await askOne(one, current, asking)
    const before = current
    current = changedBy(current, said.verdict)
    // Those before have allowed what is not there any more.
    if (current !== before) {
      spoken.splice(0, spoken.length, ...spoken.map(withoutAllow))
    }
    spoken.push(said)
    if (said.verdict.decision === 'deny') break
  }
  return spoken
}

function changedBy(moment: Moment, { updatedInput }: Verdict): Moment {
  if (moment.kind !== 'tool-pre' || updatedInput === undefined) return moment
  return isSameData(updatedInput, moment.call.input)
    ? moment
    : withInput(moment, updatedInput)
}

/** An allow is for the arguments that it was given for, and no others. */
function withoutAllow({ hook, verdict }: Spoken): Spoken {
  const { decision, reason: _, ...rest } = verdict
  return decision === 'allow' ? { hook, verdict: rest } : { hook, verdict }
}

function withInput(
  moment: MomentOf<'tool-pre'>,
  input: JsonObject,
): MomentOf<'tool-pre'> {
  return { ...moment, call: { ...moment.call, input } }
}

/**
 * All have judged the call as it came. Where one has changed it, those that
 * are declared later see the change, and in the end those before it are asked
 * about what will run; there they can only refuse, ask or allow.
 */
async function chainRewrites(
  planned: readonly PlannedHook[],
  moment: MomentOf<'tool-pre'>,
  first: readonly Spoken[],
  asking: Asking,
): Promise<readonly Spoken[]> {
  const isOver = first.some(
    ({ verdict: { decision, stop } }) =>
      decision === 'deny' || stop !== undefined,
  )
  if (isOver || !first.some(({ verdict }) => isRewrite(verdict, moment))) {
    return first
  }
  const said = new Map(first.map((one) => [one.hook, one.verdict]))
  const judged = new Map(first.map((one) => [one.hook, moment.call.input]))
  let current = moment
  const order = planned.filter(
    ({ hook, dedupeKey }) =>
      said.has(hook) || !isAsked(first, planned, dedupeKey),
  )
  for (const one of order) {
    const isStale = judged.get(one.hook) !== current.call.input
    if (isStale && one.isMeant(current)) {
      said.set(one.hook, await askAgain(one, current, asking))
      judged.set(one.hook, current.call.input)
    }
    const verdict = said.get(one.hook)
    const isFresh = judged.get(one.hook) === current.call.input
    const { updatedInput } = verdict ?? {}
    if (isFresh && updatedInput && verdict && isRewrite(verdict, current)) {
      current = withInput(current, updatedInput)
    }
  }
  const spoken = order.flatMap(({ hook }) => {
    const verdict = said.get(hook)
    if (verdict === undefined) return []
    const meant = verdict.updatedInput ?? judged.get(hook)
    const isStale = !isSameData(meant, current.call.input)
    return isStale ? [withoutAllow({ hook, verdict })] : [{ hook, verdict }]
  })
  const overtaken = order.filter(({ hook, isMeant }) => {
    const isWriter = said.get(hook)?.updatedInput !== undefined
    return (
      !isWriter && judged.get(hook) !== current.call.input && isMeant(current)
    )
  })
  const again = await Promise.all(
    overtaken.map(async (one) => {
      const verdict = await askAgain(one, current, asking)
      const { decision, reason, stop, updatedInput, lapses } = verdict
      // Nor can it allow what it would have changed.
      const isFor = decision !== 'allow' || updatedInput === undefined
      const counts = decision !== undefined && isFor
      return {
        hook: one.hook,
        verdict: {
          ...(counts && { decision }),
          ...(counts && reason !== undefined && { reason }),
          ...(stop !== undefined && { stop }),
          ...(lapses && { lapses }),
        },
      }
    }),
  )
  return [...spoken, ...again]
}

/** Whether one that is the same has been asked. */
function isAsked(
  spoken: readonly Spoken[],
  planned: readonly PlannedHook[],
  key: string | undefined,
): boolean {
  const same = planned.filter(({ dedupeKey }) => dedupeKey === key)
  return (
    key !== undefined &&
    same.some((one) => spoken.some(({ hook }) => hook === one.hook))
  )
}

function isRewrite(
  { updatedInput }: Verdict,
  { call }: MomentOf<'tool-pre'>,
): boolean {
  return updatedInput !== undefined && !isSameData(updatedInput, call.input)
}

async function askAgain(
  one: PlannedHook,
  moment: Moment,
  asking: Asking,
): Promise<Verdict> {
  const { verdict } = await askOne(one, moment, asking)
  const message = `${one.hook.id} was asked again, as another hook has changed the call.`
  return withLapse(verdict, 'asked-again', message)
}

/** Of hooks that are the same, the first of those that have the most time. */
function withoutDoubles(
  planned: readonly PlannedHook[],
): readonly PlannedHook[] {
  const chosen = new Map<string, PlannedHook>()
  for (const one of planned) {
    const { dedupeKey: key, timeoutMs } = one
    if (key === undefined) continue
    const before = chosen.get(key)
    if (before === undefined || timeoutMs > before.timeoutMs)
      chosen.set(key, one)
  }
  return planned.filter(
    (one) => one.dedupeKey === undefined || chosen.get(one.dedupeKey) === one,
  )
}
