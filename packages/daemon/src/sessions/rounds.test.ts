import { expect, test } from 'vitest'
import { Rounds } from './rounds.ts'

function roundsOf(list: readonly string[], limit: number) {
  const left = [...list]
  const rounds = new Rounds({
    limit,
    read: async (count, skip) => left.slice(skip, skip + count),
  })
  return { left, rounds }
}

test('what stays in a list keeps nothing from being seen that comes later', async () => {
  const { rounds } = roundsOf(['a', 'b', 'c', 'd', 'e'], 2)
  const seen: (readonly string[])[] = []
  for (let at = 0; at < 5; at++) seen.push(await rounds.go(() => 'left'))
  expect(seen).toEqual([['a', 'b'], ['c', 'd'], ['e'], ['a', 'b'], ['c', 'd']])
})

test('what is taken leaves the list, and what follows is not passed over', async () => {
  const { left, rounds } = roundsOf(['a', 'b', 'c', 'd', 'e', 'f'], 3)
  const offered: string[] = []
  for (let at = 0; at < 3; at++) {
    const taken: string[] = []
    await rounds.go((one) => {
      if (taken.length === 1) return 'full'
      offered.push(one)
      if (one === 'a') return 'left'
      taken.push(one)
      return 'taken'
    })
    for (const one of taken) left.splice(left.indexOf(one), 1)
  }
  expect(offered).toEqual(['a', 'b', 'c', 'd'])
})
