import { afterEach, beforeEach, expect, test } from 'vitest'
import {
  callOf,
  type ModuleFiles,
  moduleFiles,
} from './fixtures/module-files.ts'

let files: ModuleFiles

beforeEach(() => {
  files = moduleFiles()
})

afterEach(async () => {
  await files[Symbol.asyncDispose]()
})

/** Why a module gives no answer, in both ways that it can run. */
async function messagesOf(file: string) {
  const told: string[] = []
  for (const isolation of ['thread', 'process-wide'] as const) {
    const asked = files.open(file, { isolation }).ask(callOf())
    told.push(
      await asked.then(
        () => 'answered',
        ({ message }) => message,
      ),
    )
  }
  return told
}

test('what a module throws is told with the place in its file', async () => {
  files.write(
    'gate.ts',
    `interface Call { args: { list?: string } }
export const run = ({ args }: Call) => {
  return args.list.split(',')
}`,
  )
  const message =
    "It threw at gate.ts:3: Cannot read properties of undefined (reading 'list')"
  expect(await messagesOf('gate.ts')).toEqual([message, message])
})

test('what is thrown in other code is told with the place that called it', async () => {
  files.write(
    'gate.mjs',
    `import { readFileSync } from 'node:fs'
export const run = () => {

  readFileSync('/nope')
}`,
  )
  const message =
    "It threw at gate.mjs:4: ENOENT: no such file or directory, open '/nope'"
  expect(await messagesOf('gate.mjs')).toEqual([message, message])
})

test('what a part of a module throws is told with the place in that part', async () => {
  files.write(
    'part.mjs',
    `\n\nexport const part = () => { throw new Error('no') }`,
  )
  files.write(
    'gate.mjs',
    `import { part } from './part.mjs'\nexport const run = () => part()`,
  )
  const message = 'It threw at part.mjs:3: no'
  expect(await messagesOf('gate.mjs')).toEqual([message, message])
})

test.each([
  ['a text', `throw 'no'`],
  ['an error of elsewhere', `throw elsewhere('    at f (/etc/passwd:3:1)')`],
  ['one that nobody can read', `throw elsewhere(Symbol())`],
  [
    'one of another package',
    `throw elsewhere(import.meta.url.replace('gate', 'node_modules/x/gate') + ':3:1')`,
  ],
])('%s is told without a place', async (_, body) => {
  files.write(
    'gate.mjs',
    `const elsewhere = (stack) => Object.assign(new Error('no'), { stack })
export const run = () => { ${body} }`,
  )
  expect(await messagesOf('gate.mjs')).toEqual(['It threw: no', 'It threw: no'])
})

test('what throws after its call has waited is told with its place', async () => {
  files.write(
    'gate.mjs',
    `export const run = () => new Promise(() => {
  setTimeout(() => {
    throw new Error('late')
  })
})`,
  )
  const asked = files.open('gate.mjs').ask(callOf())
  await expect(asked).rejects.toThrow('It threw at gate.mjs:3: late')
})

test('a slip in a file is told with its line', async () => {
  files.write('slip.ts', 'export const run = (a: number) => {\n  f(1 2)\n}')
  for (const message of await messagesOf('slip.ts')) {
    expect(message).toMatch(/cannot be loaded, see slip.ts:2: Expected/)
  }
})

test('a slip in a part is told with the file and the line of the part', async () => {
  files.write('slip.ts', 'export const a: number = 1\n\nf(1 2)')
  files.write('gate.ts', `import './slip.ts'\nexport const run = () => {}`)
  for (const message of await messagesOf('gate.ts')) {
    expect(message).toMatch(/cannot be loaded, see slip.ts:3: Expected/)
  }
})

test('what throws while it is loaded is told with its line', async () => {
  files.write('gate.mjs', `\nthrow new Error('at the top')`)
  for (const message of await messagesOf('gate.mjs')) {
    expect(message).toMatch(/cannot be loaded, see gate.mjs:2: at the top$/)
  }
})

test('where no line is known, the file is told; and no path from the root', async () => {
  files.write('slip.mjs', 'export const run = (')
  files.write('gate.mjs', `import './absent.mjs'`)
  for (const message of await messagesOf('slip.mjs')) {
    expect(message).toMatch(/cannot be loaded, see slip.mjs: /)
  }
  for (const message of await messagesOf('gate.mjs')) {
    expect(message).toMatch(/cannot be loaded, see gate.mjs(:1)?: .*absent.mjs/)
    expect(message).not.toContain(files.folder)
  }
})
