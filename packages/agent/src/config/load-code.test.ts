import { spawn } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { expect, test, vi } from 'vitest'
import { type ConfigWorld, createConfigWorld } from './fixtures/config-world.ts'
import { createCodeRuns } from './load-code.ts'

vi.setConfig({ testTimeout: 60_000 })

/** Code that leaves a trace when it runs. */
function code({ places }: ConfigWorld, name: string): string {
  return `
    import { appendFileSync } from 'node:fs'
    const trace: string = ${JSON.stringify(join(places.root, 'runs'))}
    appendFileSync(trace, '${name}\\n')
    export default {
      hooks: [{ name: '${name}', on: 'event', handler: { type: 'builtin', name: 'x' } }],
    }
  `
}
test('T03 code of a project is not run before it is trusted', async () => {
  const world = await createConfigWorld()
  const file = await world.write(
    'root/hookline.config.ts',
    code(world, 'project'),
  )
  await world.write(
    'root/.hookline/local.js',
    code(world, 'local').replace(': string', ''),
  )
  const config = await world.load()
  expect(existsSync(join(world.places.root, 'runs'))).toBe(false)
  expect(config.hooks).toEqual([])
  expect(config.problems).toMatchObject([
    { code: 'needs-trust', severity: 'warning', file },
    { code: 'needs-trust', severity: 'warning', layer: 'local' },
  ])
  const [source] = config.sources
  expect(source).toMatchObject({ file, state: 'needs-trust' })
  expect(config.problems[0]?.message).toContain(source?.hash)

  const isTrusted = ({ hash }: { hash: string }) => hash === source?.hash
  const trusted = await world.load({ isTrusted })
  expect(trusted.hooks).toMatchObject([{ name: 'project', layer: 'project' }])
  await world.write(
    'root/hookline.config.ts',
    `${code(world, 'project')} // changed`,
  )
  const changed = await world.load({ isTrusted })
  expect(changed.hooks).toEqual([])
})

test.each(['rules.js', 'rules/index.js', 'rules.json'])(
  'T03 code that requires ./rules is trusted with %s, and said to be without packages',
  async (required) => {
    const world = await createConfigWorld()
    await world.write(
      'root/hookline.config.js',
      "module.exports = { hooks: require('./rules') }",
    )
    const hook = (name: string) =>
      JSON.stringify([
        { name, on: 'event', handler: { type: 'builtin', name: 'x' } },
      ])
    const start = required.endsWith('.js') ? 'module.exports = ' : ''
    const write = (name: string) =>
      world.write(`root/${required}`, start + hook(name))
    await write('first')
    const { sources, problems } = await world.load()
    expect(problems[0]?.message).toContain('packages')
    const [source] = sources
    const isTrusted = ({ hash }: { hash: string }) => hash === source?.hash
    const trusted = await world.load({ isTrusted })
    expect(trusted.hooks).toMatchObject([{ name: 'first' }])
    await write('second')
    const changed = await world.load({ isTrusted })
    expect(changed.hooks).toEqual([])
    expect(changed.problems).toMatchObject([{ code: 'needs-trust' }])
  },
)

test('code has our packages where nobody has installed them', async () => {
  const world = await createConfigWorld()
  await world.write(
    'user/hookline.config.ts',
    `import { defineConfig } from '@hookline/agent/config'
    export default defineConfig({ disable: ['first'] })`,
  )
  const { problems, disabled } = await world.load()
  expect(problems).toMatchObject([{ code: 'unknown-name' }])
  expect(disabled).toMatchObject([{ name: 'first' }])
})

test('code of the user is run, in TypeScript and JavaScript, and again when it has changed', async () => {
  const world = await createConfigWorld()
  await world.write('user/hookline.config.ts', code(world, 'first'))
  const named = "export const config = { disable: ['second'] }"
  await world.write('managed/hookline.config.js', named)
  const one = await world.load()
  expect(one.hooks).toMatchObject([{ name: 'first', layer: 'user', line: 1 }])
  await world.write('user/hookline.config.ts', code(world, 'second'))
  const two = await world.load()
  expect(two.hooks).toMatchObject([
    { name: 'second', disabledBy: { layer: 'managed' } },
  ])
})

test.each<[string, string, string, string]>([
  ['throws', 'throw new Error("no way")', 'code-failed', 'no way'],
  ['is no code', 'export default {', 'code-failed', 'cannot be run'],
  ['exports nothing', 'export const x = 1', 'code-failed', 'neither'],
  ['exports a function', 'export default () => 1', 'not-data', 'function'],
  [
    'holds a function',
    'export default { hooks: [{ run() {} }] }',
    'not-data',
    'function',
  ],
  [
    'holds itself',
    'const a: any = {}; a.a = a; export default { hooks: a }',
    'not-data',
    'holds itself',
  ],
  [
    'holds itself often',
    'const a: any = {}; for (let i = 0; i < 9; i++) a[i] = a; export default a',
    'not-data',
    'holds itself',
  ],
  [
    'has a getter',
    'export default { get hooks() { return [] } }',
    'not-data',
    'getter',
  ],
  [
    'has a prototype',
    'export default JSON.parse(\'{"__proto__": {"x": 1}}\')',
    'forbidden-key',
    '__proto__',
  ],
])('code that %s is refused', async (_, text, problem, said) => {
  const world = await createConfigWorld()
  await world.write('user/hookline.config.ts', text)
  const { problems, hooks } = await world.load()
  expect(problems.map(({ code: found }) => found)).toContain(problem)
  expect(problems.map(({ message }) => message).join()).toContain(said)
  expect(hooks).toEqual([])
})

test('a file of code can use the helper that checks its types', async () => {
  const world = await createConfigWorld()
  const helper = join(import.meta.dirname, 'define-config.ts')
  expect(await readFile(helper, 'utf8')).toContain('defineConfig')
  await world.write(
    'user/hookline.config.ts',
    `import { defineConfig } from '${pathToFileURL(helper).href}'
     export default defineConfig({ disable: [] })`,
  )
  const { problems } = await world.load()
  expect(problems).toEqual([])
})

/** Only what is refused for its time has little of it. */
const limitsOf = (said: string) => {
  const maxMs = said.endsWith(' ms') ? 5_000 : 60_000
  return { maxMs, maxMemoryMb: 256 }
}

test.each<[string, string, string, unknown]>([
  [
    'loops for ever',
    '\nlet a = 1\nwhile (true) { a += 1 }',
    'more than 5000 ms',
    3,
  ],
  ['loops in promises', '\nfor (;;) { await null }', 'more than 5000 ms', 2],
  ['ends the process', '\n\nprocess.exit(0)', 'ends the process', 3],
  ['kills its process', 'process.kill(process.pid, "SIGKILL")', 'SIGKILL', 1],
  ['aborts', 'process.abort()', 'SIGABRT', 1],
  ['waits for nothing', 'await new Promise(() => {})', 'never comes', 1],
  [
    'waits for ever',
    'setInterval(() => {}, 5); await new Promise(() => {})',
    'more than 5000 ms',
    1,
  ],
  [
    'throws in a timer while it is waited for',
    '\nsetTimeout(() => { throw new Error("later") }, 5)\nawait new Promise((r) => setTimeout(r, 60_000))',
    'later',
    2,
  ],
  [
    'fills the memory with values',
    'const all = []\nfor (;;) all.push({ a: [all.length] })',
    'more than 256 MiB',
    // Where it was then cannot always be found out in time.
    expect.any(Number),
  ],
  [
    'fills the memory with buffers',
    'const all = []\nfor (;;) all.push(Buffer.alloc(1e7, 1))',
    'more than 256 MiB',
    // Where it was then cannot always be found out in time.
    expect.any(Number),
  ],
])(
  'code that %s is refused with its place, and does us no harm',
  async (_, text, said, line) => {
    const world = await createConfigWorld()
    const file = await world.write(
      'user/hookline.config.js',
      `${text}\nexport default {}`,
    )
    const codeRuns = createCodeRuns(limitsOf(said))
    const { problems } = await world.load({ codeRuns })
    expect(problems).toMatchObject([{ code: 'code-failed', file, line }])
    expect(problems[0]?.message).toContain(said)
  },
)

test('code that was read leaves nothing behind: neither a timer nor a process', async () => {
  const world = await createConfigWorld()
  const mark = join(world.places.root, 'pid')
  await world.write(
    'user/hookline.config.ts',
    `import { spawn } from 'node:child_process'
     import { writeFileSync } from 'node:fs'
     setTimeout(() => { throw new Error('later') }, 1)
     const { pid } = spawn('sleep', ['600'], { stdio: 'ignore' })
     writeFileSync(${JSON.stringify(mark)}, String(pid))
     export default { disable: ['x'] }`,
  )
  const { problems, disabled } = await world.load()
  expect(problems.filter(({ severity }) => severity === 'error')).toEqual([])
  expect(disabled).toMatchObject([{ name: 'x' }])
  const pid = Number(await readFile(mark, 'utf8'))
  await vi.waitUntil(() => !isRunning(pid), { timeout: 30_000 })
})

test('the process of code ends with the one that waits for it', async () => {
  const world = await createConfigWorld()
  const mark = join(world.places.root, 'pid')
  const file = await world.write(
    'user/hookline.config.js',
    `require('node:fs').writeFileSync(${JSON.stringify(mark)}, String(process.pid))
     while (true) {}`.replace('require(', 'process.getBuiltinModule('),
  )
  const program = join(import.meta.dirname, 'run-code-file.ts')
  const waiting = spawn(
    process.execPath,
    [
      '--input-type=module',
      '-e',
      `import { runCodeFile } from ${JSON.stringify(pathToFileURL(program).href)}
       await runCodeFile(${JSON.stringify(file)}, { maxMs: 600_000, maxMemoryMb: 256 })`,
    ],
    { stdio: 'ignore' },
  )
  const pidOf = () => Number(existsSync(mark) && readFileSync(mark, 'utf8'))
  await vi.waitUntil(() => pidOf() > 0, { timeout: 30_000 })
  waiting.kill('SIGKILL')
  await vi.waitUntil(() => !isRunning(pidOf()), { timeout: 30_000 })
})

function isRunning(pid: number): boolean {
  try {
    // One that has ended and was not asked for yet is no process any more.
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8')
    return stat.slice(stat.lastIndexOf(')') + 2)[0] !== 'Z'
  } catch {
    return false
  }
}

test('what several read of a file of code is run once, and again when it has changed', async () => {
  const world = await createConfigWorld()
  const codeRuns = createCodeRuns()
  const count = () => readFile(join(world.places.root, 'runs'), 'utf8')
  await world.write('user/hookline.config.ts', code(world, 'first'))
  await world.load({ codeRuns })
  await world.load({ codeRuns, builtins: ['x'] })
  expect(await count()).toBe('first\n')
  await world.write('user/hookline.config.ts', code(world, 'second'))
  await world.load({ codeRuns })
  expect(await count()).toBe('first\nsecond\n')
})
