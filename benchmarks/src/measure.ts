import { setImmediate } from 'node:timers/promises'

/** One way to do the work that its rivals do too. */
export interface Candidate {
  readonly name: string
  /** Does the work so many times over. This is what is timed. */
  run(times: number): Promise<void>
  /** Throws unless the work was done so often since the last check. */
  check(times: number): void
}

/** A candidate that is timed wherever it is. */
export interface Timed {
  readonly name: string
  /** Does the work so many times over; gives nanoseconds for one. */
  time(times: number): Promise<number>
}

/** Candidates for the same work; the first is what the others are held to. */
export interface Contest {
  readonly candidates: readonly Timed[]
}

export interface Rounds {
  /** Not counted: they make the code hot and find how often to repeat it. */
  readonly warmUp: number
  readonly counted: number
  /** How long a candidate has the processor in one round, about. */
  readonly sliceMs: number
  /** How often it repeats its work in the first round; default 500. */
  readonly firstTimes?: number
  /** How often in every round after that, if it is slow; default 1. */
  readonly leastTimes?: number
}

/** Nanoseconds for one repetition, by counted round. */
export interface Samples {
  readonly name: string
  readonly ns: readonly number[]
}

interface Lane {
  readonly candidate: Timed
  readonly ns: number[]
  times: number
}

/**
 * Times all contests in every round, so that a slow minute of the machine
 * falls on all alike. Within a contest rivals follow each other directly, and
 * another one begins each time. Gives one list of samples for each contest.
 */
export async function measure(
  contests: readonly Contest[],
  { warmUp, counted, sliceMs, firstTimes = 500, leastTimes = 1 }: Rounds,
): Promise<Samples[][]> {
  const fields = contests.map(({ candidates }) =>
    candidates.map(
      (candidate): Lane => ({ candidate, ns: [], times: firstTimes }),
    ),
  )
  for (let round = 0; round < warmUp + counted; round++) {
    for (const lanes of fields) {
      for (const lane of rotate(lanes, round)) {
        const ns = await lane.candidate.time(lane.times)
        if (round >= warmUp) lane.ns.push(ns)
        else lane.times = Math.max(leastTimes, Math.ceil((sliceMs * 1e6) / ns))
      }
    }
  }
  return fields.map((lanes) =>
    lanes.map(({ candidate: { name }, ns }) => ({ name, ns })),
  )
}

/** Times one in this process. */
export function timed(candidate: Candidate): Timed {
  const { name } = candidate
  return { name, time: (times) => timeOnce(candidate, times) }
}

export async function timeOnce(
  candidate: Candidate,
  times: number,
): Promise<number> {
  const start = performance.now()
  await candidate.run(times)
  // What was put off to the next turn of the event loop counts as well.
  await setImmediate()
  const elapsedMs = performance.now() - start
  candidate.check(times)
  return (elapsedMs * 1e6) / times
}

function rotate<T>(items: readonly T[], by: number): T[] {
  const first = by % items.length
  return [...items.slice(first), ...items.slice(0, first)]
}
