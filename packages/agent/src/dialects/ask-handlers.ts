import { askAboutCall } from './ask-about-call.ts'
import { type Asking, askOne, type PlannedHook } from './ask-one.ts'
import { withoutDoubles } from './doubles.ts'
import { ofFinalArgs } from './final-args.ts'
import type { Spoken } from './merge-verdicts.ts'
import type { Moment } from './moment.ts'

/** Asks all hooks that a moment concerns, the way the product does. */
export async function askHandlers(
  planned: readonly PlannedHook[],
  moment: Moment,
  asking: Asking,
): Promise<readonly Spoken[]> {
  const meant = withoutDoubles(planned.filter(({ isMeant }) => isMeant(moment)))
  const hooks = meant.map(({ hook }) => hook)
  const isSerial = asking.facts.isSerial?.(hooks) === true
  if (moment.kind === 'tool-pre') {
    return askAboutCall(planned, moment, { ...asking, isSerial })
  }
  if (isSerial) {
    const spoken = await askInOrder(meant, moment, asking)
    return ofLastArgs(spoken, moment)
  }
  const spoken = await Promise.all(
    meant.map((one) => askOne(one, moment, asking)),
  )
  return ofLastArgs(spoken, moment)
}

/** One after the other; the first denial ends it. */
async function askInOrder(
  meant: readonly PlannedHook[],
  moment: Moment,
  asking: Asking,
): Promise<readonly Spoken[]> {
  const spoken: Spoken[] = []
  for (const one of meant) {
    const said = await askOne(one, moment, asking)
    spoken.push(said)
    if (said.verdict.decision === 'deny') break
  }
  return spoken
}

/** Whoever answers for the user answers for the last arguments that are given. */
function ofLastArgs(
  spoken: readonly Spoken[],
  moment: Moment,
): readonly Spoken[] {
  if (moment.kind !== 'permission') return spoken
  const { input } = moment.call
  const final =
    spoken.findLast(({ verdict }) => verdict.updatedInput !== undefined)
      ?.verdict.updatedInput ?? input
  return spoken.map((one) => ofFinalArgs({ ...one, input }, final))
}
