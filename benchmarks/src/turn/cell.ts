import type { Samples } from '../measure.ts'
import { median, type Summary, summarize } from '../summary.ts'
import { bareLoop, ours, pi } from './framework.ts'
import type { Scenario } from './scenario.ts'

/** A scenario with so many hooks, and what was measured in it. */
export interface Cell {
  readonly scenario: Scenario
  readonly hooks: number
  readonly samples: readonly Samples[]
  /** Bytes per turn, in the order of the samples. */
  readonly allocated: readonly number[]
}

export interface Row extends Summary {
  /** The ratio to another one; absent if that one took no part. */
  readonly vsBare: number | undefined
  readonly vsPi: number | undefined
  readonly allocatedBytes: number
}

export function rowsOf({ samples, allocated }: Cell): Row[] {
  const vsBare = ratiosTo(bareLoop, samples)
  const vsPi = ratiosTo(pi, samples)
  return summarize(samples).map((summary, index) => ({
    ...summary,
    vsBare: vsBare?.[index],
    vsPi: vsPi?.[index],
    allocatedBytes: allocated[index] ?? Number.NaN,
  }))
}

/** What one hook adds to a turn, in nanoseconds: the median of the rounds. */
export function addedPerHook(
  name: string,
  cell: Cell,
  without: Cell,
): number | undefined {
  const base = nsOf(name, without)
  if (cell.hooks === 0) return undefined
  return median(
    nsOf(name, cell).map(
      (ns, round) => (ns - (base[round] ?? Number.NaN)) / cell.hooks,
    ),
  )
}

/**
 * Ours to pi as the verdict counts it: where their ranges overlap there is no
 * difference to be seen, so that a ratio above 1 counts as 1.
 */
export function countedRatio(cell: Cell): number | undefined {
  const rows = rowsOf(cell)
  const mine = rows.find(({ name }) => name === ours)
  const theirs = rows.find(({ name }) => name === pi)
  if (mine?.vsPi === undefined || theirs === undefined) return undefined
  const isOverlapping = mine.p10Ns <= theirs.p90Ns && theirs.p10Ns <= mine.p90Ns
  const ratio = isOverlapping ? Math.min(1, mine.vsPi) : mine.vsPi
  return Number(ratio.toFixed(2))
}

function ratiosTo(name: string, samples: readonly Samples[]) {
  const base = samples.find((one) => one.name === name)
  return base && summarize(samples, base).map(({ ratio }) => ratio)
}

function nsOf(name: string, { samples }: Cell): readonly number[] {
  return samples.find((one) => one.name === name)?.ns ?? []
}
