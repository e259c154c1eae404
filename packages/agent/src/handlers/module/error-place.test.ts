import { existsSync } from 'node:fs'
import { join } from 'node:path'
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

test.each([
  ['slip.ts', 'export const run = (a: number) => {\n  f(1 2)\n}', '2:7'],
  ['slip.mjs', 'export const run = () => {\n\n  f(1 2)\n}', '3:5'],
  ['slip.js', 'export const run = () => {\n\tf(1 2)\n}', '2:4'],
  ['slip.cjs', 'exports.run = () => {\n  f(1 2)\n}', '2:5'],
  ['types.mjs', '\nexport const run = (call: object) => {}', '2:25'],
  ['twice.mjs', 'export const run = 1\nconst run = 2', '2:7'],
])('a slip in a file is told with its line and column: %s', async (...row) => {
  const [file, text, place] = row
  files.write('package.json', '{ "type": "module" }')
  files.write(file, text)
  for (const message of await messagesOf(file)) {
    expect(message).toContain(`cannot be loaded, see ${file}:${place}: `)
  }
})

test.each(['ts', 'mjs'])(
  'a slip in a part is told with the place in the part: %s',
  async (type) => {
    files.write(`well.${type}`, 'export const b = 1')
    files.write(`slip.${type}`, 'export const a = 1\n\nf(1 2)')
    files.write(
      `gate.${type}`,
      `import './well.${type}'
import './slip.${type}'
export const run = () => {}`,
    )
    const told = new RegExp(`cannot be loaded, see slip.${type}:3:\\d: `)
    for (const message of await messagesOf(`gate.${type}`)) {
      expect(message).toMatch(told)
    }
  },
)

test('nothing of a file with a slip is run to find the place', async () => {
  files.write(
    'part.mjs',
    `import { writeFileSync } from 'node:fs'
writeFileSync(new URL('ran', import.meta.url), '')`,
  )
  files.write('gate.mjs', `import './part.mjs'\nexport const run = (`)
  for (const message of await messagesOf('gate.mjs')) {
    expect(message).toContain('see gate.mjs:2:')
  }
  expect(existsSync(join(files.folder, 'ran'))).toBe(false)
})

test('two that are loaded at the same time are told apart', async () => {
  files.write('a.mjs', 'export const run = () => {\n\n  f(1 2)\n}')
  files.write('b.mjs', 'export const run = 1\nconst run = 2')
  const told = await Promise.all(
    ['a.mjs', 'b.mjs'].map((file) =>
      files
        .open(file, { isolation: 'process-wide' })
        .ask(callOf())
        .catch(({ message }) => message),
    ),
  )
  expect(told[0]).toContain('see a.mjs:3:5: ')
  expect(told[1]).toContain('see b.mjs:2:7: ')
})

test('a slip that a file has put up with is not taken for another', async () => {
  files.write('broken.mjs', 'f(1 2)')
  files.write(
    'gate.mjs',
    `await import('./broken.mjs').catch(() => {})
const own = new SyntaxError('mine')
own.stack = ''
throw own`,
  )
  for (const message of await messagesOf('gate.mjs')) {
    expect(message).not.toContain('broken.mjs')
  }
})

test('what a file says of other text is no slip of its own', async () => {
  files.write('gate.mjs', `\nJSON.parse('{')`)
  for (const message of await messagesOf('gate.mjs')) {
    expect(message).toContain('cannot be loaded, see gate.mjs:2: ')
  }
})

test('what throws while it is loaded is told with its line', async () => {
  files.write('gate.mjs', `\nthrow new Error('at the top')`)
  for (const message of await messagesOf('gate.mjs')) {
    expect(message).toMatch(/cannot be loaded, see gate.mjs:2: at the top$/)
  }
})

test('where no line is known, the file is told; and no path from the root', async () => {
  files.write('data.json', '{')
  files.write(
    'data.mjs',
    `import './data.json' with { type: 'json' }\nexport const run = 1`,
  )
  files.write('gate.mjs', `import './absent.mjs'`)
  for (const message of await messagesOf('data.mjs')) {
    expect(message).toMatch(/cannot be loaded, see data.mjs: data.json: /)
  }
  for (const message of await messagesOf('gate.mjs')) {
    expect(message).toMatch(/cannot be loaded, see gate.mjs(:1)?: .*absent.mjs/)
    expect(message).not.toContain(files.folder)
  }
})
