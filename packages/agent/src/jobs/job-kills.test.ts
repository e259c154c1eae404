import { expect, test } from 'vitest'
import { killAtAll } from './fixtures/kill-at.ts'

test.each(['sqlite', 'postgres'] as const)(
  'F166 a process on %s that is killed at any moment of any step of a job loses nothing, and nothing is done twice',
  async (dialect) => {
    const { kills, problems } = await killAtAll(dialect, 1)
    console.log(`${dialect}: killed at ${kills} places of jobs.`)
    expect(problems).toEqual([])
    expect(kills).toBe(24)
  },
  180_000,
)
