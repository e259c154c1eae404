import type { JsonValue } from 'hookline/lifecycle'
import { isSameData } from '../data/same-data.ts'
import { type Asking, askOne, type PlannedHook } from './ask-one.ts'
import { withResult } from './changed-by.ts'
import type { Spoken } from './merge-verdicts.ts'
import type { MomentOf } from './moment.ts'
import { readUpdatedResult } from './updated-result.ts'
import { type Verdict, withLapse } from './verdict.ts'

interface SpokenBy extends Spoken {
  readonly one: PlannedHook
}

/**
 * All have seen the result as it came. Of two that change it, the one that is
 * declared later is asked again about what the other one shows of it, as it
 * would undo what it has not seen.
 */
export async function chainResults(
  first: readonly SpokenBy[],
  moment: MomentOf<'tool-post'>,
  asking: Asking,
): Promise<readonly Spoken[]> {
  if (first.some(({ verdict }) => verdict.decision === 'deny')) return first
  const chained: Spoken[] = []
  let current = moment
  let shown: JsonValue | undefined
  for (const { one, hook, verdict } of first) {
    const { updatedOutput, ...rest } = verdict
    const isOther = shown !== undefined && updatedOutput !== undefined
    if (!isOther || isSameData(updatedOutput, shown)) {
      chained.push({ hook, verdict })
      shown = updatedOutput ?? shown
      current = withResult(current, verdict, asking.world)
      continue
    }
    const said = await askOne(one, current, asking)
    const again = ofResult(said.verdict, moment)
    const message = `${hook.id} was asked again, as another hook has changed the result.`
    const asked = withLapse(again, 'asked-again', message)
    chained.push({ hook, verdict: rest }, { hook, verdict: asked })
    shown = again.updatedOutput ?? shown
    current = withResult(current, again, asking.world)
  }
  return chained
}

/** What it tells has been told; where it fails, nobody knows what it would withhold. */
function ofResult(
  { decision, reason, stop, updatedOutput, lapses = [] }: Verdict,
  { response }: MomentOf<'tool-post'>,
): Verdict {
  const isUnreadable =
    updatedOutput !== undefined &&
    readUpdatedResult(updatedOutput, response) === undefined
  const isLost =
    updatedOutput === undefined && lapses.some(({ code }) => failures.has(code))
  const left: Verdict = { lapses, ...(stop !== undefined && { stop }) }
  if (decision !== 'deny' && (isLost || isUnreadable)) {
    return { ...left, decision: 'deny', reason: withheld }
  }
  return {
    ...left,
    ...(decision !== undefined && { decision }),
    ...(reason !== undefined && { reason }),
    ...(updatedOutput !== undefined && { updatedOutput }),
  }
}

const failures: ReadonlySet<string> = new Set([
  'failed-open',
  'failed-closed',
  'untrusted',
  'wrong-shape',
])

const withheld =
  'Two hooks change this result, and one of them has failed on what the other one shows of it.'
