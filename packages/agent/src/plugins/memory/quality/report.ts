import type { Memories } from '../../../index.ts'
import { type FindFacts, type Judged, judge, quantile } from './judge.ts'

export interface Report {
  /** To be printed. */
  readonly text: string
  readonly all: Judged
  readonly heldOut: Judged
  readonly seen: Judged
  readonly p50Ms: number
  readonly p99Ms: number
  /** Of each question the quickest time: what others do meanwhile is left out. */
  readonly ownP99Ms: number
}

const rounds = 5

/** Asks all questions several times, and tells how it went. */
export async function report(name: string, find: FindFacts): Promise<Report> {
  // Threads start, pages and statements are read in.
  await judge(find, () => true)
  const all = await judge(find, () => true)
  const heldOut = await judge(find, (one) => one.isHeldOut === true)
  const seen = await judge(find, (one) => one.isHeldOut !== true)
  const times = [all.elapsedMs]
  while (times.length < rounds) {
    times.push((await judge(find, () => true)).elapsedMs)
  }
  const p50Ms = quantile(times.flat(), 0.5)
  const p99Ms = quantile(times.flat(), 0.99)
  const quickest = all.elapsedMs.map((_, question) =>
    Math.min(...times.map((round) => round[question] ?? Number.NaN)),
  )
  const ownP99Ms = quantile(quickest, 0.99)
  const [total, known, unknown] = [all, seen, heldOut].map(({ recall }) =>
    recall.toFixed(3),
  )
  const text = `${name}: recall@5 ${total} (${known} seen, ${unknown} held out), p50 ${p50Ms.toFixed(1)} ms, p99 ${p99Ms.toFixed(1)} ms, undisturbed ${ownP99Ms.toFixed(1)} ms`
  return { text, all, heldOut, seen, p50Ms, p99Ms, ownP99Ms }
}

export function findIn(memories: Memories, space: string): FindFacts {
  return async (question, limit) =>
    (await memories.recall(space, question, { limit })).map(({ name }) => name)
}
