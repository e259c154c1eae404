import fc from 'fast-check'
import { expect, test } from 'vitest'
import { createMemoryStore } from '../index.ts'
import { expectPaired } from '../runtime/fixtures/paired.ts'
import { openStage } from '../runtime/fixtures/stage.ts'
import { tool } from '../runtime/fixtures/tools.ts'
import type { ScriptStep } from '../testing/index.ts'

/** A turn: so many steps with so many calls each, then a reply. */
const turn = fc.array(fc.integer({ min: 1, max: 3 }), { maxLength: 3 })

const light = { inputTokens: 1, outputTokens: 0 }

function scriptOf(turns: readonly (readonly number[])[]): ScriptStep[] {
  return turns.flatMap((steps) => [
    ...steps.map((count) => ({
      calls: Array.from({ length: count }, () => ({ tool: 'read' })),
      usage: light,
    })),
    { text: 'Done.', usage: light },
  ])
}

test('however many messages stay, no call is parted from its result and roles alternate', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(turn, { minLength: 1, maxLength: 5 }),
      fc.integer({ min: 0, max: 12 }),
      async (turns, keepMessages) => {
        const store = createMemoryStore()
        const { session, say } = await openStage(
          [...scriptOf(turns), { text: 'More.', usage: light }],
          { tools: [tool('read')], store, session: { id: 'one' } },
        )
        for (const _ of turns) await say('Go.')
        await session.compact({ summary: 'Sum.', keepMessages })
        expectPaired(session.messages)
        await say('And?')
        expectPaired(session.messages)
        expect((await store.load('one'))?.messages).toEqual(session.messages)
      },
    ),
    { numRuns: 100 },
  )
})
