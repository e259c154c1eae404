import { english } from './english.ts'
import { german } from './german.ts'
import { japanese } from './japanese.ts'
import type { LabelledSet, Question } from './labelled.ts'

export const labelledSets: readonly LabelledSet[] = [english, german, japanese]

/** Finds the ids of facts, the best first. */
export type FindFacts = (
  question: string,
  limit: number,
) => Promise<readonly string[]>

export interface Judged {
  readonly asked: number
  /** Of the facts that answer, the share among the first five. */
  readonly recall: number
  readonly missed: readonly string[]
  readonly elapsedMs: readonly number[]
}

const first = 5

/** Asks all questions of a kind. */
export async function judge(
  find: FindFacts,
  wants: (question: Question, language: string) => boolean,
): Promise<Judged> {
  const questions = labelledSets.flatMap(({ language, questions: all }) =>
    all.filter((question) => wants(question, language)),
  )
  const missed: string[] = []
  const elapsedMs: number[] = []
  let sum = 0
  for (const { ask, wants: ids } of questions) {
    const before = performance.now()
    const found = await find(ask, first)
    elapsedMs.push(performance.now() - before)
    const share = ids.filter((id) => found.includes(id)).length / ids.length
    if (share < 1) missed.push(ask)
    sum += share
  }
  const asked = questions.length
  return { asked, recall: sum / asked, missed, elapsedMs }
}

/** The value that so much of all are not above. */
export function quantile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((a, b) => a - b)
  const index = Math.ceil(share * sorted.length) - 1
  return sorted[Math.max(0, index)] ?? Number.NaN
}
