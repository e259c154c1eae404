import { existsSync, truncateSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test, vi } from 'vitest'
import { timeRatio } from '../../../core/fixtures/time-ratio.ts'
import { countLooks } from '../handlers/module/fixtures/count-looks.ts'
import { importsOf } from '../handlers/module/imports-of.ts'
import { codeHash } from './code-hash.ts'
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

/** How many files of code, and what stands in the one of that number. */
test.each<[string, number, (index: number) => string]>([
  [
    'names very many files',
    1,
    () => times(50_000, (index) => `'./${index}'`).join(''),
  ],
  [
    'leads on to ever more',
    900,
    (index) =>
      `${times(20, (at) => `'./no${index}-${at}'`).join('')}'./${index + 1}'`,
  ],
  [
    'says the same very often',
    200,
    (index) => `'./${index + 1}'`.padEnd(1_000_000, "'./0'"),
  ],
])(
  'T14 code that %s is refused before anybody has trusted it, and looked at no further',
  async (_, count, textOf) => {
    const world = await createConfigWorld()
    for (let index = 0; index < count; index++) {
      await world.write(`root/${index}.js`, textOf(index))
    }
    const first = "import './0'"
    const file = await world.write('root/hookline.config.js', first)
    const { asked, read } = countLooks(() => {
      expect(codeHash(file, 'hash')).toBeUndefined()
    })
    // 5 000 names, each asked for by at most 30 paths.
    expect(asked).toBeLessThan(150_000)
    // Of those that repeat themselves, 16 are 16 MB.
    if (count === 200) expect(read.length).toBeLessThan(80)
    const { problems } = await world.load()
    expect(problems).toMatchObject([{ code: 'too-large' }])
  },
)

test('code that names many files, and imports some of many endings, is looked at as a whole', async () => {
  const world = await createConfigWorld()
  const names = times(400, (index) => `src/m${index}`)
  for (const name of names) await world.write(`root/${name}.js`, '')
  const lines = names.map((name) => `import './${name}'`)
  await world.write('root/hookline.config.js', lines.join('\n'))
  const { problems } = await world.load()
  expect(problems).toMatchObject([{ code: 'needs-trust' }])
})

test('T06 code that imports code which nobody can read whole is refused', async () => {
  const world = await createConfigWorld()
  await world.write('root/hookline.config.js', "import './rest.js'")
  const rest = await world.write('root/rest.js', '')
  truncateSync(rest, 64 * 1_048_576 + 1)
  const { problems } = await world.load()
  expect(problems).toMatchObject([{ code: 'too-large' }])
})

test('T14 spaces cost no more the more of them there are', async () => {
  const work = (spaces: number) => {
    const text = `from${' '.repeat(spaces)}(`.repeat(300_000 / spaces)
    return () => [...importsOf({ path: '/a.js', text })]
  }
  expect(await timeRatio(work(90), work(5), 1)).toBeLessThan(4)
})
