import { Ajv } from 'ajv'
import fc from 'fast-check'
import { points } from 'hookline/lifecycle'
import { stringify as toToml } from 'smol-toml'
import { expect, test } from 'vitest'
import { stringify as toYaml } from 'yaml'
import type { HookDefinition } from '../handlers/definition.ts'
import { createConfigSchema } from './config-schema.ts'
import { candidatesOfValues } from './config-source.ts'
import { richConfig } from './fixtures/rich-config.ts'
import { loadConfig } from './load-config.ts'
import { loadFile } from './load-file.ts'
import { createLoader } from './loader.ts'
import { dataOf } from './node.ts'
import { readText, type TextFormat } from './read/read-text.ts'
import { Report } from './report.ts'

const formats = ['json', 'yaml', 'toml'] as const
const nowhere = {
  user: '/nowhere/u',
  managed: '/nowhere/m',
  root: '/nowhere/r',
}

/** What nobody may change. */
const prototypeKeys = () =>
  [Object.prototype, Array.prototype, Function.prototype, String.prototype].map(
    (prototype) => Reflect.ownKeys(prototype).length,
  )

async function read(bytes: Uint8Array, format: TextFormat) {
  const report = new Report('x', 'project')
  const node = await readText(bytes, format, report)
  return { data: node && dataOf(node), problems: report.problems() }
}

/** Reads a value as a file of a layer would be read. */
async function load(value: unknown) {
  const loader = createLoader(nowhere)
  const [candidate] = candidatesOfValues([value], {
    folder: '/',
    places: nowhere,
  })
  if (candidate === undefined) throw new Error('There is no candidate.')
  return loadFile(candidate, loader)
}

test('T14 random bytes never crash the reader, and either give data or a problem', async () => {
  const before = prototypeKeys()
  const bytes = fc.oneof(
    fc.uint8Array({ maxLength: 300 }),
    fc
      .string({ unit: 'binary', maxLength: 300 })
      .map((text) => Buffer.from(text)),
    // Pieces of what files are made of.
    fc
      .array(
        fc.constantFrom(
          ...'{}[]:,"\'\n- &*!|>#=.1 '.split(''),
          'hooks',
          'on',
          '__proto__',
          '\\u',
          '"""',
          '[[',
          '  ',
          '---',
          '/*',
          '//',
        ),
        { maxLength: 80 },
      )
      .map((parts) => Buffer.from(parts.join(''))),
  )
  await fc.assert(
    fc.asyncProperty(
      bytes,
      fc.constantFrom(...formats),
      async (content, format) => {
        const { data, problems } = await read(content, format)
        expect(data !== undefined || problems.length > 0).toBe(true)
        for (const { line, column, message } of problems) {
          expect(line).toBeGreaterThan(0)
          expect(column).toBeGreaterThan(0)
          expect(message).toMatch(/[.?]$/)
        }
      },
    ),
    { numRuns: 1_500 },
  )
  expect(prototypeKeys()).toEqual(before)
})

const key = fc.oneof(
  fc.constantFrom(
    'hooks',
    'disable',
    'dialects',
    'env',
    'setEnv',
    'on',
    'name',
    'handler',
    'type',
    'match',
    'argv',
    'url',
    '__proto__',
    'constructor',
    'toString',
    '$regex',
    '$not',
  ),
  fc.string({ maxLength: 5 }),
)
const leaf = fc.oneof(
  fc.constantFrom(
    'tool.guard',
    'command',
    'builtin',
    'closed',
    'event',
    'x*',
    '{',
  ),
  fc.jsonValue({ maxDepth: 0 }),
)
const { tree: anyData } = fc.letrec<{ tree: unknown }>((tie) => ({
  tree: fc.oneof(
    { maxDepth: 5, withCrossShrink: true },
    leaf,
    fc.array(tie('tree'), { maxLength: 4 }),
    fc.array(fc.tuple(key, tie('tree')), { maxLength: 5 }).map((pairs) => {
      const made: Record<string, unknown> = {}
      for (const [name, value] of pairs) {
        const shared = { enumerable: true, configurable: true, writable: true }
        Object.defineProperty(made, name, { value, ...shared })
      }
      return made
    }),
  ),
}))

test('T14 random data as configuration never crashes it and changes no prototype', async () => {
  const before = prototypeKeys()
  const file = fc.oneof(
    anyData,
    anyData.map((hooks) => ({ hooks })),
    anyData.map((hook) => ({ hooks: [hook] })),
  )
  await fc.assert(
    fc.asyncProperty(file, async (value) => {
      for (const handed of [value, JSON.stringify(value)]) {
        const config = await loadConfig({ ...nowhere, values: [handed] })
        expect(config.fatal).toBeUndefined()
        const isRight = config.sources[0]?.state === 'loaded'
        expect(isRight || config.problems.length > 0).toBe(true)
      }
    }),
    { numRuns: 600 },
  )
  expect(prototypeKeys()).toEqual(before)
})

const validate = new Ajv({ strict: false }).compile(createConfigSchema())

/** The rich configuration with one of its parts replaced, removed or added. */
const mutated = fc
  .tuple(
    fc.array(fc.nat(12), { maxLength: 6 }),
    key,
    anyData,
    fc.constantFrom('set', 'delete', 'add'),
  )
  .map(([steps, name, value, change]) => {
    const root: unknown = structuredClone(richConfig)
    let here = root as Record<string, unknown>
    for (const step of steps) {
      const keys = Object.keys(here)
      const next = here[keys[step % keys.length] ?? '']
      if (typeof next !== 'object' || next === null) break
      here = next as Record<string, unknown>
    }
    const keys = Object.keys(here)
    const chosen = keys[steps.length % (keys.length || 1)] ?? 'x'
    if (change === 'delete') delete here[chosen]
    else if (change === 'set') here[chosen] = value
    else if (!Array.isArray(here) && name !== '__proto__') here[name] = value
    return root
  })

test('whatever the loader takes, the schema takes, too', async () => {
  let loaded = 0
  await fc.assert(
    fc.asyncProperty(mutated, async (value) => {
      const plain: unknown = JSON.parse(JSON.stringify(value))
      const result = await load(plain)
      const isRight =
        result.type === 'loaded' &&
        result.problems.every(({ code }) => code === 'missing-program')
      if (!isRight) return
      loaded++
      expect(validate(plain) || validate.errors).toBe(true)
    }),
    { numRuns: 800 },
  )
  expect(loaded).toBeGreaterThan(50)
})

const json = fc.oneof(
  fc.string({ unit: 'grapheme', maxLength: 8 }),
  fc.integer(),
  fc.boolean(),
  fc
    .double({ noNaN: true, noDefaultInfinity: true, min: -1e9, max: 1e9 })
    .map((one) => (Object.is(one, -0) ? 0 : one)),
)
const plainKey = fc
  .string({ unit: 'grapheme', minLength: 1, maxLength: 6 })
  .filter((one) => !/^\$|__proto__|constructor|prototype/.test(one))
const condition = fc.oneof(
  json.map((one) => (typeof one === 'string' ? { $is: one } : one)),
  fc.array(fc.integer(), { minLength: 1, maxLength: 3 }),
  fc.dictionary(plainKey, fc.integer(), { maxKeys: 3 }),
  fc.constant({ $regex: 'a.*' }),
)
const definition: fc.Arbitrary<HookDefinition> = fc
  .record(
    {
      description: fc.string({ unit: 'grapheme', maxLength: 30 }),
      priority: fc.integer(),
      timeoutMs: fc.integer({ min: 1, max: 100_000 }),
      match: fc.record(
        { agent: condition, origin: condition },
        { requiredKeys: [] },
      ),
      visibility: fc.constantFrom('internal', 'debug', 'user_audit'),
      mode: fc.constantFrom('enforce', 'evaluate'),
      on: fc.constantFrom(...Object.values(points).map(({ name }) => name)),
      handler: fc.oneof(
        fc.record({
          type: fc.constant('builtin' as const),
          name: fc.constantFrom('x', 'y'),
          options: fc.dictionary(plainKey, json, { maxKeys: 3 }),
        }),
        fc.record({
          type: fc.constant('command' as const),
          argv: fc.array(
            fc
              .string({ unit: 'grapheme', maxLength: 20 })
              .map((one) => `x${one.replaceAll('\0', '')}`),
            { minLength: 1, maxLength: 3 },
          ),
          setEnv: fc.dictionary(
            fc.stringMatching(/^[A-Z]{1,5}$/),
            fc.string({ unit: 'grapheme-ascii', maxLength: 10 }),
            { maxKeys: 3 },
          ),
        }),
      ),
    },
    { requiredKeys: ['on', 'handler'] },
  )
  .map((one) => one as HookDefinition)

test('definitions are the same through JSON, YAML and TOML', async () => {
  const writers = {
    json: JSON.stringify,
    yaml: (value: object) => toYaml(value, { aliasDuplicateObjects: false }),
    toml: toToml,
  }
  await fc.assert(
    fc.asyncProperty(
      fc.array(definition, { minLength: 1, maxLength: 4 }),
      async (hooks) => {
        const direct = await load({ hooks })
        expect(
          direct.problems.filter(({ severity }) => severity === 'error'),
        ).toEqual([])
        if (direct.type !== 'loaded') throw new Error('It has not been loaded.')
        for (const format of formats) {
          const text = writers[format]({ hooks })
          const { data, problems } = await read(Buffer.from(text), format)
          expect(problems).toEqual([])
          const other = await load(data)
          expect(other).toMatchObject({ type: 'loaded' })
          const said = other.type === 'loaded' ? other.hooks : []
          expect(said.map((hook) => hook.definition)).toEqual(
            direct.hooks.map((hook) => hook.definition),
          )
          expect(said.map(({ name }) => name)).toEqual(
            direct.hooks.map(({ name }) => name),
          )
        }
      },
    ),
    { numRuns: 120 },
  )
})
