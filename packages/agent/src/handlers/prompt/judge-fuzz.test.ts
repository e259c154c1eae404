import { compileTable, createEngine, type HookRecord } from 'hookline'
import type { ModelResponse } from 'hookline/lifecycle'
import { points } from 'hookline/lifecycle'
import { expect, test } from 'vitest'
import { repetitions } from '../../../../core/fixtures/repetitions.ts'
import { pickSeed } from '../../jobs/fixtures/seed.ts'
import { fuzzedAnswer, seededRandom } from '../answer/fixtures/fuzz-answers.ts'
import { judgeAnswer } from '../answer/fixtures/slow-answer.ts'
import { bindHook } from '../bind-hook.ts'
import { createPromptHandler } from './create-prompt-handler.ts'
import { judgedCall } from './fixtures/ask-judge.ts'

const count = repetitions({ short: 20_000, long: 100_000 })
const usage = { inputTokens: 1, outputTokens: 1 }

test(`${count} random replies of a judge crash nothing, change no prototype, and are never read as more than they say`, {
  timeout: count * 6,
}, async () => {
  const seed = pickSeed()
  const random = seededRandom(seed)
  const before = prototypes()
  let replies: string[] = []
  const callModel = async (): Promise<ModelResponse> => {
    const text = fuzzedAnswer(random)
    replies.push(text)
    return { content: [{ type: 'text', text }], stopReason: 'end_turn', usage }
  }
  const point = points['tool.guard']
  const prompt = { type: 'prompt', model: 'm', template: 'Safe?' } as const
  const hook = bindHook(
    { on: 'tool.guard', handler: prompt },
    {
      ...{ name: 'judge', point, callModel },
      handler: createPromptHandler(prompt, { point }),
    },
  )
  let record: HookRecord | undefined
  const engine = createEngine(compileTable([hook]), {
    breakerFailures: count,
    nextId: () => 'run-1',
    records: {
      end: (run) => {
        record = run.record
      },
    },
  })
  const scope = { agent: 'main', origin: 'user', coreType: 'loop' } as const
  const ends = { proceed: 0, reject: 0, ask: 0, failed: 0 }
  for (let index = 0; index < count; index++) {
    replies = []
    const outcome = await engine.run(point, judgedCall, { scope })
    const told = `seed ${seed}, judge ${index}: ${JSON.stringify(replies)}`
    const isFailed = record?.state !== 'completed'
    if (isFailed) {
      ends.failed++
      if (outcome.type !== 'reject') throw new Error(`Let go on: ${told}`)
      continue
    }
    ends[outcome.type]++
    // To refuse takes less than to let something happen.
    if (outcome.type === 'reject') continue
    // Only the last one counts: what came before was sent back.
    const last = replies.at(-1) ?? ''
    const verdict = judgeAnswer(last, 'run-1/judge')
    if (last.trim() === '' || verdict?.type !== outcome.type) {
      throw new Error(`Accepted what is no answer: ${told}`)
    }
  }
  expect(prototypes()).toEqual(before)
  // All kinds of ends came up, so that the comparison says something.
  expect(Math.min(...Object.values(ends))).toBeGreaterThan(count / 1_000)
})

function prototypes(): readonly (readonly string[])[] {
  const all = [Object.prototype, Array.prototype, String.prototype]
  return all.map((one) => Reflect.ownKeys(one).map(String))
}
