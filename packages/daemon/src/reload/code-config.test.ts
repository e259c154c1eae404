import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test, vi } from 'vitest'
import { callers } from './fixtures/callers.ts'
import { makePlace, type Place } from './fixtures/place.ts'

vi.setConfig({ testTimeout: 120_000 })

/** Leaves a line in a file whenever it is run. */
function code({ root }: Place, model: string, rest = ''): string {
  return `
    import { appendFileSync } from 'node:fs'
    appendFileSync(${JSON.stringify(join(root, 'runs'))}, '${model}\\n')
    ${rest}
    export default { agents: [{ name: 'main', model: 'test/${model}' }] }
  `
}

const file = 'user/hookline.config.ts'

test('a workspace runs a file of code once when it is opened, and once for each change', async () => {
  const place = await makePlace()
  await place.write(file, code(place, 'first'))
  const workspace = await place.open({ models: callers() })
  const runs = () => readFile(join(place.root, 'runs'), 'utf8')
  expect(await runs()).toBe('first\n')
  await place.write(file, code(place, 'second'))
  await workspace.reload()
  await workspace.reload()
  expect(workspace.runtime.agents[0]?.model).toBe('test/second')
  expect(await runs()).toBe('first\nsecond\n')
})

test('code that would end or hold up the daemon leaves what ran before, and it is said where', async () => {
  const place = await makePlace()
  const path = await place.write(file, code(place, 'good'))
  const workspace = await place.open({ models: callers() })
  for (const harm of ['process.exit(0)', 'while (true) {}']) {
    await place.write(file, code(place, 'bad', harm))
    const ticks = countTicks()
    const { refusal } = await workspace.reload()
    expect(ticks()).toBeGreaterThan(5)
    expect(refusal, harm).toContain(`${path}:4:`)
    expect(workspace.runtime.agents[0]?.model).toBe('test/good')
  }
  await place.write(file, code(place, 'better'))
  expect((await workspace.reload()).refusal).toBeUndefined()
  expect(workspace.runtime.agents[0]?.model).toBe('test/better')
})

/** How often there was time for others meanwhile. */
function countTicks(): () => number {
  let count = 0
  const timer = setInterval(() => count++, 10)
  return () => {
    clearInterval(timer)
    return count
  }
}
