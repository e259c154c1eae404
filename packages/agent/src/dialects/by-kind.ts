import type { Moment, MomentKind, MomentOf } from './moment.ts'

/** What is to be done at some kinds of moments. */
export type ByKind<Result> = {
  readonly [Kind in MomentKind]?: (moment: MomentOf<Kind>) => Result
}

/** Does it for this moment; undefined where nothing is to be done. */
export function byKind<Result>(
  moment: Moment,
  table: ByKind<Result>,
): Result | undefined {
  // What stands under a kind takes moments of that kind.
  const act = table[moment.kind] as ((moment: Moment) => Result) | undefined
  return act?.(moment)
}
