import { monitorEventLoopDelay } from 'node:perf_hooks'
import { setTimeout as idle } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { leastRatio } from '../../../core/fixtures/time-ratio.ts'
import { forEachDatabase } from './fixtures/databases.ts'
import { insertMeta, keysFrom, unit } from './fixtures/statements.ts'

const writers = 50
const unitsEach = 60
/**
 * A machine that has other things to do holds up a program that does nothing,
 * too. Where it has not, that is a millisecond, and this some ten of them.
 */
const longest = 30

/** The delay that only one turn of a hundred exceeds, and how long all took. */
async function delayDuring(work: () => Promise<unknown>) {
  const delay = monitorEventLoopDelay({ resolution: 1 })
  const start = performance.now()
  delay.enable()
  await work()
  delay.disable()
  const tookMs = performance.now() - start
  return { delayMs: delay.percentile(99) / 1e6, tookMs }
}

forEachDatabase((kit) => {
  test(`with ${writers} who write durably the program is never held up for long`, async () => {
    const database = await kit.open()
    const text = 'x'.repeat(500)
    const write = async (prefix: string) => {
      for (let number = 0; number < unitsEach; number += 1) {
        const one = unit('one', insertMeta(`key-${prefix}-${number}`, text))
        await database.write({ ...one, isPatient: number % 3 === 0 })
      }
    }
    let rounds = 0
    let roundMs = 200
    const whileWriting = async () => {
      rounds += 1
      const all = Array.from({ length: writers }, (_, index) => index)
      const { delayMs, tookMs } = await delayDuring(() =>
        Promise.all(all.map((writer) => write(`${rounds}-${writer}`))),
      )
      roundMs = tookMs
      return delayMs
    }
    const whileIdle = async () =>
      (await delayDuring(() => idle(roundMs))).delayMs
    await write('first')
    const ratio = await leastRatio(whileWriting, whileIdle, longest)
    console.log(
      `${kit.name}: loop delay p99 with ${writers} writers ${ratio.toFixed(1)} times that of nothing`,
    )
    const kept = await database.read(keysFrom('key-'))
    expect(kept).toHaveLength((1 + rounds * writers) * unitsEach)
    expect(ratio).toBeLessThan(longest)
  }, 120_000)
})
