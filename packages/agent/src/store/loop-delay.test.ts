import { monitorEventLoopDelay } from 'node:perf_hooks'
import { expect, test } from 'vitest'
import { leastRatio } from '../../../core/fixtures/time-ratio.ts'
import { forEachDatabase } from './fixtures/databases.ts'
import { insertMeta, keysFrom, unit } from './fixtures/statements.ts'

const writers = 50
const unitsEach = 60
/** Of what it takes to copy all that is written: some 30 ms on a machine that is not old. */
const longest = 5

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
    let count = 0
    const delayMs = async () => {
      count += 1
      const round = count
      const delay = monitorEventLoopDelay({ resolution: 1 })
      delay.enable()
      const all = Array.from({ length: writers }, (_, index) => index)
      await Promise.all(all.map((writer) => write(`${round}-${writer}`)))
      delay.disable()
      return delay.percentile(99) / 1e6
    }
    const copyMs = () => {
      const all = Array.from({ length: writers * unitsEach }, () => [text])
      const start = performance.now()
      structuredClone(all)
      return performance.now() - start
    }
    await write('first')
    const ratio = await leastRatio(delayMs, copyMs, longest)
    console.log(
      `${kit.name}: loop delay p99 ${ratio.toFixed(1)} copies with ${writers} writers`,
    )
    const kept = await database.read(keysFrom('key-'))
    expect(kept).toHaveLength((1 + count * writers) * unitsEach)
    expect(ratio).toBeLessThan(longest)
  }, 60_000)
})
