import fc from 'fast-check'
import { defineHook, keepGoing, proceed } from 'hookline'
import { turnStop } from 'hookline/lifecycle'
import { expect, test } from 'vitest'
import { createMemoryStore } from '../index.ts'
import { noteEnds } from '../runtime/fixtures/hooks.ts'
import { expectPaired, problemsOf } from '../runtime/fixtures/paired.ts'
import { openStage, quiet } from '../runtime/fixtures/stage.ts'
import { tool } from '../runtime/fixtures/tools.ts'
import type { ScriptStep } from '../testing/index.ts'

const names = ['read', 'slow', 'broken', 'missing']

const step: fc.Arbitrary<ScriptStep> = fc.oneof(
  {
    weight: 4,
    arbitrary: fc
      .array(fc.constantFrom(...names), { minLength: 1, maxLength: 3 })
      .map((tools) => ({ calls: tools.map((name) => ({ tool: name })) })),
  },
  { weight: 3, arbitrary: fc.constant({ text: 'Done.' }) },
  {
    weight: 1,
    arbitrary: fc.constant({ error: { code: 'invalid_request' as const } }),
  },
)

const example = fc.record({
  script: fc.array(step, { minLength: 1, maxLength: 10 }),
  /** After so many events of all turns the one that runs is cancelled. */
  cancels: fc.array(fc.integer({ min: 1, max: 60 }), { maxLength: 2 }),
  steers: fc.array(fc.integer({ min: 1, max: 60 }), { maxLength: 2 }),
  insists: fc.integer({ min: 0, max: 2 }),
})

test('whatever happens when, history is paired, alternates and is as the store has it', async () => {
  await fc.assert(
    fc.asyncProperty(example, async ({ script, cancels, steers, insists }) => {
      const store = createMemoryStore()
      const log: string[] = []
      const insisting = defineHook({
        name: 'insisting',
        on: turnStop,
        run: ({ continuesSoFar }) =>
          continuesSoFar < insists ? keepGoing('More.') : proceed,
      })
      const tools = [
        tool('read'),
        tool('slow', () => Promise.resolve('slow')),
        tool('broken', () => Promise.reject(new Error('broken'))),
      ]
      const { session, runtime } = await openStage(script, {
        ...{ tools, store, session: { id: 'one' } },
        hooks: [insisting, noteEnds(log)],
        config: { limits: { maxSteps: 4 } },
      })
      const problems: string[] = []
      let count = 0
      const act = async () => {
        for await (const _ of session.subscribe()) {
          count++
          if (cancels.includes(count)) session.cancel()
          if (steers.includes(count)) void session.steer('Hurry.')
          problems.push(...problemsOf(session.messages))
        }
      }
      const acted = act()
      for (const input of ['a', 'b', 'c']) {
        await session.send(input).result
        expectPaired(session.messages)
      }
      await quiet(session)
      await runtime.drain()
      const stored = await store.load('one')
      expect(stored?.messages).toEqual(session.messages)
      expect(stored?.openTurn).toBeUndefined()
      expect(log).toHaveLength(stored?.turns ?? -1)
      await session.close()
      await acted
      expect(problems).toEqual([])
    }),
    { numRuns: 200 },
  )
})
