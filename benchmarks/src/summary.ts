import type { Samples } from './measure.ts'

/** What the rounds of one candidate come to. */
export interface Summary {
  readonly name: string
  readonly medianNs: number
  readonly p10Ns: number
  readonly p90Ns: number
  /**
   * The median of the ratios within a round, not the ratio of the medians:
   * whatever slowed a round down slowed both sides of it.
   */
  readonly ratio: number
}

/** Holds every candidate of a contest to one of them, or else to the first. */
export function summarize(
  contest: readonly Samples[],
  base = contest[0],
): Summary[] {
  return contest.map(({ name, ns }) => ({
    name,
    medianNs: quantile(ns, 0.5),
    p10Ns: quantile(ns, 0.1),
    p90Ns: quantile(ns, 0.9),
    ratio: median(
      ns.map((value, round) => value / (base?.ns[round] ?? Number.NaN)),
    ),
  }))
}

export function median(values: readonly number[]): number {
  return quantile(values, 0.5)
}

function quantile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((a, b) => a - b)
  const at = (sorted.length - 1) * share
  const low = sorted[Math.floor(at)] ?? Number.NaN
  const high = sorted[Math.ceil(at)] ?? Number.NaN
  return low + (high - low) * (at - Math.floor(at))
}
