import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { compileTable, type Hook } from 'hookline'
import { afterAll, describe, expect, test } from 'vitest'
import { defineHooks } from '../define-hooks.ts'
import { shippedHooks } from '../hooks.ts'
import { exampleOptions } from './fixtures/example-options.ts'
import { play } from './fixtures/play.ts'
import { outputGuardrail } from './output-guardrail.ts'
import { piiRedact } from './pii-redact.ts'
import { secretScan } from './secret-scan.ts'

const folder = mkdtempSync(join(tmpdir(), 'hookline-combined-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

type Spec = (typeof shippedHooks)[number]

/** One use of an entry, as a table gets it. */
interface Use {
  readonly label: string
  readonly hooks: readonly Hook[]
}

const judge = { model: 'judge', policy: 'Be kind.' }

/** With what the pages try it with, and with each word an option can have. */
function usesOf(spec: Spec): readonly Use[] {
  const given = exampleOptions[spec.name]?.(folder) ?? {}
  // A schema is plain data, which says what each option can be.
  const properties = Object(spec.options.schema['properties'])
  const words = Object.entries(properties).flatMap(([key, about]) => {
    const allowed: unknown = Object(about).enum
    const values: unknown[] = Array.isArray(allowed) ? allowed : []
    return values.map((value) => ({ ...given, [key]: value }))
  })
  const asWell = words.filter((one) => 'action' in one)
  const judged = 'judge' in properties && 'patterns' in properties
  const variants = [
    ...[given, ...words],
    ...(judged ? [{ judge }, ...asWell.map((one) => ({ ...one, judge }))] : []),
  ]
  return variants.flatMap((options, index) => {
    const name = index === 0 ? spec.name : `${spec.name}-${index}`
    const label = `${spec.name} ${JSON.stringify(options)}`
    try {
      const { hooks = [] } = defineHooks(spec)(options, { name })
      return [{ label, hooks }]
    } catch {
      // Not every word goes with the rest.
      return []
    }
  })
}

const uses = shippedHooks.map((spec) => usesOf(spec))

function problemOf(...all: readonly Use[]): string | undefined {
  try {
    compileTable(all.flatMap(({ hooks }) => hooks))
    return undefined
  } catch (error) {
    return `${all.map(({ label }) => label).join(' + ')}: ${String(error)}`
  }
}

describe('hooks that ship', () => {
  test('fit into one table, each two of them, whatever their options say', () => {
    const all = uses.flat()
    expect(all.length).toBeGreaterThan(shippedHooks.length + 20)
    const problems = all.flatMap((one, at) =>
      all.slice(at + 1).flatMap((other) => {
        const found = [problemOf(one, other), problemOf(other, one)]
        return found.filter((problem) => problem !== undefined)
      }),
    )
    expect(problems).toEqual([])
  })

  test('fit into one table, all of them, in whatever order they are listed', () => {
    const first = uses.flatMap(([use]) => use ?? [])
    expect(first).toHaveLength(shippedHooks.length)
    for (const all of [first, uses.flat()]) {
      expect(problemOf(...all)).toBeUndefined()
      expect(problemOf(...all.toReversed())).toBeUndefined()
    }
  })
})

describe('a guardrail judges the words that go out', () => {
  const withMail = outputGuardrail({ patterns: { mail: '\\w@\\w' } })
  const secret = `ghp_${'a1B2c3D4e5F6'.repeat(3)}`

  test.each([
    ['listed first', [withMail, piiRedact({}), secretScan({})]],
    ['listed last', [secretScan({}), piiRedact({}), withMail]],
  ])('after others have redacted them, %s', async (_, plugins) => {
    const text = `Write to ann@example.com with ${secret}.`
    const { turns } = await play([{ text }], { plugins })
    expect(turns[0]?.status).toBe('succeeded')
    expect(turns[0]?.text).toMatch(/^Write to \[email:\w+\] with \[secret:.+\]/)
  })

  test('and finds what others have put into them', async () => {
    const noMarks = outputGuardrail({ words: ['secret'] })
    const { turns } = await play([{ text: `It is ${secret}.` }], {
      plugins: [noMarks, secretScan({})],
    })
    expect(turns[0]?.status).toBe('withheld')
  })

  test.each(['redact', 'respond'] as const)(
    'also where it would %s',
    async (action) => {
      const { turns } = await play([{ text: 'Mail ann@example.com.' }], {
        plugins: [
          outputGuardrail({ patterns: { mail: '\\w@\\w' }, action }),
          piiRedact({}),
        ],
      })
      expect(turns[0]?.text).toMatch(/^Mail \[email:\w+\]/)
    },
  )
})
