import fc from 'fast-check'
import { test } from 'vitest'
import { agree, check, law } from '../fixtures/check-property.ts'
import { createEngine } from '../src/create-engine.ts'
import { defineKind } from '../src/define/define-kind.ts'
import { definePoint, type } from '../src/define/define-point.ts'
import type {
  Contributions,
  Hook,
  Outcome,
  Point,
} from '../src/engine/index.ts'
import { compileTable } from '../src/table/compile-table.ts'
import { createFakeClock } from '../src/testing/fake-clock.ts'
import { named, priority } from './generators.ts'

const fact = defineKind<string>()('fact')

const points: Point[] = (['serial', 'parallel'] as const).map((flow) =>
  definePoint(`facts.${flow}`, {
    input: type<null>(),
    flow,
    contributes: [fact],
  }),
)

const hook = fc.record({
  priority,
  facts: fc.nat(3),
  /** When it is done; without it, at once. */
  doneMs: fc.option(fc.integer({ min: 1, max: 20 }), { nil: undefined }),
  ends: fc.constantFrom('well', 'well', 'well', 'badly', 'too late'),
  falls: fc.boolean(),
  mode: fc.constantFrom('enforce', 'enforce', 'enforce', 'evaluate'),
  /** How many of the hooks before it in the list it follows. */
  follows: fc.array(fc.nat(5), { maxLength: 2 }),
})

const cases = fc.record({
  point: fc.constantFrom(...points),
  parallelism: fc.constantFrom(1, 2, 16),
  hooks: named(hook, { tag: 'hook', min: 1, max: 6 }),
})

type Case = typeof cases extends fc.Arbitrary<infer C> ? C : never
type Spec = Case['hooks'][number]

const timeoutMs = 25

/** What counts of a hook: what it said, what it falls back to, or nothing. */
function factsOf({ name, facts, ends, falls, mode }: Spec): string[] {
  if (mode === 'evaluate') return []
  if (ends === 'well') return list(name, facts)
  return falls ? [`${name}/fallback`] : []
}

function list(name: string, facts: number): string[] {
  return Array.from({ length: facts }, (_, at) => `${name}/${at}`)
}

function valuesOf(contributions: Contributions): string[] {
  return contributions.of(fact).map(({ value }) => value)
}

test('contributions come in the order of the plan, however the hooks settle', {
  timeout: 300_000,
}, async () => {
  const property = law(cases, async ({ point, parallelism, hooks: specs }) => {
    const clock = createFakeClock()
    const seen = new Map<string, string[]>()
    const hooks = specs.map((spec, index): Hook => {
      const { name, priority: rank, mode, ends, falls, facts, doneMs } = spec
      const fallback = { contributions: [fact(`${name}/fallback`)] }
      const end = () => {
        if (ends === 'badly') throw new Error('badly')
        return { type: 'proceed' }
      }
      const run = (_: unknown, context: Parameters<Hook['run']>[1]) => {
        seen.set(name, valuesOf(context.contributions))
        for (const one of list(name, facts)) context.contribute(fact(one))
        const ms = ends === 'too late' ? timeoutMs + 5 : doneMs
        if (ms === undefined) return end()
        return new Promise<void>((done) => void clock.after(ms, done)).then(end)
      }
      return {
        name,
        on: point,
        priority: rank,
        mode,
        timeoutMs,
        capabilities: ['fact'],
        after: spec.follows
          .flatMap((at) => specs[at % (index || 1)]?.name ?? [])
          .filter((other) => other !== name),
        onFailure: falls ? { fallback } : 'open',
        run: run as never,
      }
    })
    const table = compileTable(hooks)
    const engine = createEngine(table, { clock, parallelism })
    let outcome: Outcome | undefined
    const ask = async () => {
      // oxlint-disable-next-line typescript/await-thenable -- a point may answer at once
      outcome = await engine.run(point, null)
    }
    void ask()
    await clock.advance(timeoutMs * specs.length)
    const plan = table.plans.get(point.name)?.waited ?? []
    const inOrder = plan.map(({ name }) => factsOf(specOf(specs, name)))
    const found = outcome && valuesOf(outcome.contributions)
    agree('contributions', found, inOrder.flat())
    for (const { name, index, batchEnd } of plan) {
      const first = plan.findIndex((one) => one.batchEnd === batchEnd)
      const before = inOrder.slice(0, Math.min(first, index)).flat()
      agree(`what ${name} saw`, seen.get(name), before)
    }
  })
  await check('contributions', property, { runs: 5_000 })
})

function specOf(specs: readonly Spec[], name: string): Spec {
  return specs.find((spec) => spec.name === name) as Spec
}
