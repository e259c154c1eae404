import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { beforeEach, expect, onTestFinished, test } from 'vitest'
import { codesOf } from '../fixtures/hook-bench.ts'
import { openRuleBench, type RuleOptions } from '../fixtures/rule-bench.ts'
import { cursor } from './cursor.ts'

let folder: string

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'hookline-cursor-'))
  onTestFinished(() => rm(folder, { recursive: true, force: true }))
})

/** A guard that scans what is to be read, and knows one name as well. */
function guarded(flags: object = {}, options: RuleOptions = {}) {
  const entry = { command: 'scan', ...flags }
  return openRuleBench(
    cursor,
    { version: 1, hooks: { beforeReadFile: [entry] } },
    {
      ...options,
      speak({ stdin }) {
        const { content, file_path: path } = JSON.parse(stdin)
        const isBad = content.includes('SECRET') || path.endsWith('.env')
        return {
          stdout: JSON.stringify({ permission: isBad ? 'deny' : 'allow' }),
        }
      },
    },
  )
}

const read = (path: string) => ({ tool: 'read', args: { path } })
const mebibyte = 1_048_576

test.each([0, 1, 9])(
  'a guard of what is read is given all of a file of more than %i MiB',
  async (size) => {
    const file = join(folder, 'long.txt')
    await writeFile(file, `${'x'.repeat(size * mebibyte)}SECRET`)
    const bench = await guarded()
    const asked = await bench.ask('tool.pre_call', '', read(file))
    expect(asked).toMatchObject({ type: 'reject' })
  },
)

const unshown: readonly [string, (file: string) => Promise<unknown>][] = [
  ['is too long', (file) => writeFile(file, 'x'.repeat(10 * mebibyte + 1))],
  ['is a folder', (file) => mkdir(file)],
  ['is not there', async () => {}],
]

test.each(unshown)(
  'F029 that a file %s is a failure of the guard that was to see it, which its policy decides',
  async (_, make) => {
    const file = join(folder, 'file')
    await make(file)
    const call = read(file)
    const open = await (await guarded()).ask('tool.pre_call', '', call)
    expect(open).toMatchObject({ type: 'proceed' })
    expect(codesOf(open)).toContain('failed-open')
    const closed = await guarded({ failClosed: true })
    expect(await closed.ask('tool.pre_call', '', call)).toMatchObject({
      type: 'reject',
      reason: expect.stringContaining('content'),
    })
    const strict = await guarded({}, { isStrict: true })
    expect(await strict.ask('tool.pre_call', '', call)).toMatchObject({
      type: 'reject',
    })
  },
)

test('a guard that goes by the name refuses a file that it cannot be shown', async () => {
  const bench = await guarded()
  const asked = await bench.ask('tool.pre_call', '', read(join(folder, '.env')))
  expect(asked).toMatchObject({ type: 'reject' })
  expect(codesOf(asked)).not.toContain('failed-open')
})

test('what it allows of a file that it has not seen answers for nobody', async () => {
  const bench = await guarded()
  const call = read(join(folder, 'none'))
  await bench.ask('tool.pre_call', '', call)
  const asked = await bench.ask('permission.request', '', call)
  expect(asked).toMatchObject({ type: 'proceed' })
})
