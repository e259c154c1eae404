import { expect, test } from 'vitest'
import { repetitions } from '../../../../core/fixtures/repetitions.ts'
import { pickSeed } from '../../jobs/fixtures/seed.ts'
import type { WireAnswer } from '../handler.ts'
import { HandlerFailure } from '../handler-failure.ts'
import { answerKeys, type WireAnswerType } from './answer-keys.ts'
import {
  fuzzedAnswer,
  seededRandom,
  validAnswers,
} from './fixtures/fuzz-answers.ts'
import { judgeAnswer, toPlain } from './fixtures/slow-answer.ts'
import { readAnswer } from './read-answer.ts'

const run = 'run-1'
const count = repetitions({ short: 100_000, long: 1_000_000 })

test.each(validAnswers)('both readers take %j', (text) => {
  const verdict = judgeAnswer(text, run)
  expect(verdict).toBeDefined()
  expect(readAnswer(text, { run }).answer.type).toBe(verdict?.type)
})

test(`I4 ${count} fuzzed answers crash nothing, change no prototype, and are accepted only where a slow reader accepts them`, {
  timeout: count * 2,
}, () => {
  const seed = pickSeed()
  const random = seededRandom(seed)
  const before = prototypes()
  const seen = { accepted: 0, rejected: 0, refused: 0 }
  for (let index = 0; index < count; index++) {
    const text = fuzzedAnswer(random)
    const told = `seed ${seed}, answer ${index}: ${JSON.stringify(text)}`
    const verdict = judgeAnswer(text, run)
    const answer = answerTo(text, told)
    if (answer === undefined) {
      seen.refused++
      if (verdict !== undefined) throw new Error(`Refused a good one: ${told}`)
      continue
    }
    if (answer.type === 'reject') {
      // To refuse takes less than to let something happen.
      seen.rejected++
      const isOther = verdict !== undefined && verdict.type !== 'reject'
      if (isOther) throw new Error(`Rejected by another answer: ${told}`)
      continue
    }
    seen.accepted++
    if (verdict?.type !== answer.type) {
      throw new Error(`Accepted what is no answer: ${told}`)
    }
    // An accepted type has an entry, which the line above has just shown.
    const key = answerKeys[answer.type as WireAnswerType]
    if (key !== undefined && !isSame(answer[key], verdict.payload)) {
      throw new Error(`Read something else: ${told}`)
    }
  }
  expect(prototypes()).toEqual(before)
  // The three kinds of ends all came up, so that the comparison says something.
  expect(Math.min(...Object.values(seen))).toBeGreaterThan(count / 50)
})

function answerTo(
  text: string,
  told: string,
): WireAnswer['answer'] | undefined {
  try {
    return readAnswer(text, { run }).answer
  } catch (error) {
    if (error instanceof HandlerFailure) return undefined
    throw new Error(`It crashed: ${told}`, { cause: error })
  }
}

function isSame(one: unknown, other: Parameters<typeof toPlain>[0]): boolean {
  return JSON.stringify(one) === JSON.stringify(toPlain(other))
}

function prototypes(): readonly (readonly string[])[] {
  const all = [Object.prototype, Array.prototype, String.prototype]
  return all.map((one) => Reflect.ownKeys(one).map(String))
}
