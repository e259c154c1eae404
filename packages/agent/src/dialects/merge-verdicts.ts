import type { ForeignHook } from './dialect.ts'
import type { Decided, Lapse, Verdict } from './verdict.ts'

/** A verdict and whose it is. */
export interface Spoken {
  readonly hook: ForeignHook
  readonly verdict: Verdict
}

/** What all handlers of a moment have said, as one. */
export interface Merged
  extends Omit<Verdict, 'context' | 'failure' | 'notices'> {
  /** Who the decision is from. */
  readonly by?: ForeignHook
  readonly context: readonly {
    readonly hook: ForeignHook
    readonly text: string
  }[]
  readonly notices: readonly string[]
  readonly lapses: readonly Lapse[]
}

export const strength: readonly Decided[] = ['deny', 'defer', 'ask', 'allow']

/** Of several words the one that holds, whoever said it. */
export function strongest(
  words: readonly (Decided | undefined)[],
): Decided | undefined {
  return strength.find((word) => words.includes(word))
}

/**
 * The strongest decision holds, all context is kept, and whoever ends the turn
 * ends it. Of several changes the last one counts, as whoever made it has seen
 * those before.
 */
export function mergeVerdicts(spoken: readonly Spoken[]): Merged {
  const verdicts = spoken.map(({ verdict }) => verdict)
  const deciding = strength
    .map((wanted) =>
      spoken.filter(({ verdict }) => verdict.decision === wanted),
    )
    .find((found) => found.length > 0)
  const first = deciding?.[0]
  const reasons = unique(
    (deciding ?? []).flatMap(({ verdict }) => verdict.reason ?? []),
  )
  const continued = verdicts.flatMap(({ keepGoing }) => keepGoing ?? [])
  return {
    ...lastOf(verdicts),
    ...(first?.verdict.decision && {
      decision: first.verdict.decision,
      by: first.hook,
    }),
    ...(reasons.length > 0 && { reason: reasons.join('\n') }),
    ...stopOf(verdicts),
    ...(continued.length > 0 && { keepGoing: continued.join('\n\n') }),
    context: spoken.flatMap(({ hook, verdict }) =>
      (verdict.context ?? []).map((text) => ({ hook, text })),
    ),
    notices: verdicts.flatMap(({ notices = [] }) => notices),
    lapses: verdicts.flatMap((one) => one.lapses ?? []),
  }
}

type Updated = Pick<
  Verdict,
  | 'updatedInput'
  | 'updatedOutput'
  | 'updatedPrompt'
  | 'updatedRequest'
  | 'updatedResponse'
>

function lastOf(verdicts: readonly Verdict[]): Updated {
  const keys = [
    'updatedInput',
    'updatedOutput',
    'updatedPrompt',
    'updatedRequest',
    'updatedResponse',
  ] as const
  const found = keys.flatMap((key): [string, unknown][] => {
    const value = verdicts.findLast((one) => one[key] !== undefined)?.[key]
    return value === undefined ? [] : [[key, value]]
  })
  return Object.fromEntries(found)
}

function stopOf(verdicts: readonly Verdict[]): Pick<Verdict, 'stop'> {
  const stop = verdicts.find((one) => one.stop !== undefined)?.stop
  return stop === undefined ? {} : { stop }
}

function unique(texts: readonly string[]): readonly string[] {
  return [...new Set(texts)]
}
