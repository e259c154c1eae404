import type { Clock } from 'hookline'
import { memoriesContract } from './fixtures/memories-contract.ts'
import { createTransientMemories } from './transient-memories.ts'

let nowMs = 0
const clock: Clock = {
  now: () => nowMs,
  wallAt: (now) => now,
  after: () => ({ stop: () => {}, hold: () => {} }),
}

memoriesContract({
  make: async (options) => createTransientMemories({ ...options, clock }),
  setNow: async (given) => {
    nowMs = given
  },
})
