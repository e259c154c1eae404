import { expect, test } from 'vitest'
import { Again } from './again.ts'

test('whoever asks at whatever moment is not overlooked', async () => {
  // Each asks so many steps after the work has begun: also between its end and
  // whoever waits for it.
  for (let steps = 0; steps < 20; steps++) {
    let begun = 0
    const again = new Again(async () => {
      begun++
      await Promise.resolve()
    })
    void again.want()
    for (let step = 0; step < steps; step++) await Promise.resolve()
    const before = begun
    await again.want()
    expect(begun, `after ${steps} steps`).toBeGreaterThan(before)
  }
})

test('many who ask at once are one, and one that fails is tried again', async () => {
  let begun = 0
  const again = new Again(async () => {
    if (++begun === 1) throw new Error('Not now.')
  })
  const first = [again.want(), again.want(), again.want()]
  await expect(Promise.all(first)).rejects.toThrow('Not now.')
  expect(begun).toBe(1)
  await again.want()
  expect(begun).toBe(2)
  expect(again.running).toBeUndefined()
})
