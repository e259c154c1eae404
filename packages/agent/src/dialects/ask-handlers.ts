import { askAboutCall } from './ask-about-call.ts'
import { type Asking, askOne, type PlannedHook } from './ask-one.ts'
import { chainResults } from './chain-results.ts'
import { changedBy } from './changed-by.ts'
import { withoutDoubles } from './doubles.ts'
import { ofFinalArgs } from './final-args.ts'
import type { Spoken } from './merge-verdicts.ts'
import type { Moment } from './moment.ts'

interface AskingAll extends Asking {
  /** Each is asked about what the ones before have left, in any product. */
  readonly isInOrder: boolean
}

/** Asks all hooks that a moment concerns, the way the product does. */
export async function askHandlers(
  planned: readonly PlannedHook[],
  moment: Moment,
  { isInOrder, ...asking }: AskingAll,
): Promise<readonly Spoken[]> {
  const meant = withoutDoubles(planned.filter(({ isMeant }) => isMeant(moment)))
  const hooks = meant.map(({ hook }) => hook)
  const isSerial = asking.facts.isSerial?.(hooks) === true
  if (moment.kind === 'tool-pre') {
    return askAboutCall(planned, moment, { ...asking, isSerial })
  }
  if (isSerial || isInOrder) {
    const spoken = await askInOrder(meant, moment, { ...asking, isSerial })
    return ofLastArgs(spoken, moment)
  }
  const spoken = await Promise.all(
    meant.map(async (one) => ({ one, ...(await askOne(one, moment, asking)) })),
  )
  return moment.kind === 'tool-post'
    ? chainResults(spoken, moment, asking)
    : ofLastArgs(spoken, moment)
}

/**
 * One after the other: of two that change the same, the later one undoes
 * nothing that it has not seen. In products that run them like this the first
 * denial ends it.
 */
async function askInOrder(
  meant: readonly PlannedHook[],
  moment: Moment,
  asking: Asking & { readonly isSerial: boolean },
): Promise<readonly Spoken[]> {
  const spoken: Spoken[] = []
  let current = moment
  for (const one of meant) {
    const said = await askOne(one, current, asking)
    spoken.push(said)
    if (asking.isSerial && said.verdict.decision === 'deny') break
    current = changedBy(current, said.verdict, asking.world)
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
