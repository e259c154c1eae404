import { expect, test } from 'vitest'
import { openStore } from '../../../durable.ts'
import { createTransientMemories } from '../../../index.ts'
import { forEachDatabase } from '../../../store/fixtures/databases.ts'
import { fillMemories } from './fill-memories.ts'
import { labelledSets } from './judge.ts'
import { findIn, report } from './report.ts'

const count = 1_500
const timeout = 120_000

test('there are enough facts and questions, and what is wanted exists', () => {
  const facts = labelledSets.flatMap((set) => set.facts)
  const questions = labelledSets.flatMap((set) => set.questions)
  const ids = new Set(facts.map(([id]) => id))
  expect(ids.size).toBe(facts.length)
  expect(facts.length).toBeGreaterThanOrEqual(200)
  expect(questions).toHaveLength(60)
  expect(questions.filter((one) => one.isHeldOut)).toHaveLength(20)
  const wanted = questions.flatMap(({ wants }) => wants)
  expect(wanted.filter((id) => !ids.has(id))).toEqual([])
})

forEachDatabase((kit) => {
  test(
    'people find what they told, in three languages',
    async () => {
      const store = await openStore({ database: await kit.newPlace() })
      await fillMemories(store.memories, 'main', count)
      const find = findIn(store.memories, 'main')
      const { text, all } = await report(`${kit.name}, ${count}`, find)
      await store.close()
      console.log(text)
      expect(all.recall).toBeGreaterThanOrEqual(0.9)
    },
    timeout,
  )
})

test(
  'and just as well without a store',
  async () => {
    const memories = createTransientMemories()
    await fillMemories(memories, 'main', count)
    const { text, all } = await report(
      `in memory, ${count}`,
      findIn(memories, 'main'),
    )
    console.log(text)
    expect(all.recall).toBeGreaterThanOrEqual(0.9)
  },
  timeout,
)
