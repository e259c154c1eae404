import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test, vi } from 'vitest'
import { createConfigWorld } from './fixtures/config-world.ts'
import { watchWorld } from './fixtures/watching.ts'
import { loadConfig } from './load-config.ts'

const handler = { type: 'command', argv: ['true'] }
const times = <T>(count: number, make: (index: number) => T): readonly T[] =>
  Array.from({ length: count }, (_, index) => make(index))
const long = 'x'.repeat(50)

/** Files that are short enough, and took minutes or all of the memory. */
test.each<[string, string, object]>([
  [
    'variables for very many hooks',
    'wrong-value',
    {
      setEnv: Object.fromEntries(times(35_000, (index) => [`A${index}`, '1'])),
      hooks: times(5_500, (priority) => ({
        on: 'tool.guard',
        priority,
        handler,
      })),
    },
  ],
  [
    'names that are almost those of very many hooks',
    'unknown-name',
    {
      hooks: times(3_500, (index) => ({
        name: `${long}${index}`,
        on: 'tool.guard',
        handler,
      })),
      disable: times(8_000, (index) => `${long}y${index}`),
    },
  ],
  [
    'very many expressions',
    'bad-regex',
    {
      hooks: [
        {
          on: 'tool.guard',
          match: {
            tool: times(10_000, (index) => ({
              $regex: `(((a{0,10}){0,10}){0,10})${index}`,
            })),
          },
          handler,
        },
      ],
    },
  ],
])('T14 %s end in a problem, and soon', async (_, code, value) => {
  const nowhere = '/nonexistent/hookline'
  const places = { user: nowhere, managed: nowhere }
  const { problems } = await loadConfig({ ...places, values: [value] })
  expect(problems.map((problem) => problem.code)).toContain(code)
})

test('T06 code of a project that imports other bytes than were trusted is not run', async () => {
  const world = await createConfigWorld()
  const code = "export { default } from './.hookline/rest.ts'"
  await world.write('root/hookline.config.ts', code)
  const rest = (name: string) =>
    `export { config as default } from '../lib/${name}.ts'`
  const last = (value: string) => `export const config = { disable: ${value} }`
  await world.write('root/.hookline/rest.ts', rest('last'))
  await world.write('root/lib/last.ts', last('[]'))
  const [source] = (await world.load()).sources
  const isTrusted = ({ hash }: { hash: string }) => hash === source?.hash
  const stateNow = async () => {
    const { sources } = await world.load({ isTrusted })
    return sources[0]?.state
  }
  expect(await stateNow()).toBe('loaded')
  await world.write('root/lib/last.ts', last("['own']"))
  expect(await stateNow()).toBe('needs-trust')
  await world.write('root/lib/last.ts', last('[]'))
  expect(await stateNow()).toBe('loaded')
})

test('T06 code that is changed while it runs is run again, also when it is as it was', async () => {
  const world = await createConfigWorld()
  const go = join(world.places.user ?? '', 'go')
  const begun = join(world.places.user ?? '', 'begun')
  const code = `
    import { existsSync, writeFileSync } from 'node:fs'
    writeFileSync(${JSON.stringify(begun)}, '')
    while (!existsSync(${JSON.stringify(go)})) {
      await new Promise((resolve) => setTimeout(resolve, 5))
    }
    export default { disable: ['first'] }`
  await world.write('user/hookline.config.js', code)
  const opening = watchWorld(world, { pollMs: 600_000 })
  await vi.waitUntil(() => existsSync(begun), { timeout: 30_000 })
  const other = "export default { disable: ['other'] }"
  await world.write('user/hookline.config.js', other)
  await world.write('user/go', '')
  const { watch } = await opening
  const isUnsettled = watch.current.problems.some(
    ({ code: found }) => found === 'unsettled',
  )
  const hasOther = watch.current.disabled.some(({ name }) => name === 'other')
  expect(isUnsettled || hasOther).toBe(true)
  await world.write('user/hookline.config.js', code)
  const { disabled } = await watch.reload()
  expect(disabled).toMatchObject([{ name: 'first' }])
})
