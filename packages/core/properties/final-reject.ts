import fc from 'fast-check'
import { law } from '../fixtures/check-property.ts'
import { createEngine } from '../src/create-engine.ts'
import { type Hook, HookError, type Point } from '../src/engine/index.ts'
import { compileTable } from '../src/table/compile-table.ts'
import { createBlockableClock } from './blockable-clock.ts'
import {
  anyBehaviour,
  anyPolicy,
  type Behaviour,
  badInput,
  blocking,
  gate,
  type HookSpec,
  makeHook,
  named,
  priority,
  rejecting,
} from './generators.ts'

const points = [
  gate('serial', 'reject'),
  gate('serial', 'reject', 'ask'),
  gate('parallel', 'reject'),
  gate('parallel', 'reject', 'ask'),
]

/** A hook to be added, its relation to one of the base, and its place. */
interface AddedSpec extends HookSpec {
  readonly relation: 'none' | 'after' | 'before' | 'needs'
  readonly relative: number
  readonly place: number
}

interface Case {
  readonly point: Point
  readonly parallelism: number
  readonly dispatchMs: number
  readonly base: HookSpec[]
  readonly more: AddedSpec[]
}

const common = {
  priority,
  timeoutMs: fc.integer({ min: 10, max: 20 }),
  execution: fc.constant('blocking' as const),
}

const anyhow = {
  ...common,
  behaviour: anyBehaviour,
  mode: fc.constantFrom<HookSpec['mode']>('enforce', 'enforce', 'evaluate'),
  match: fc.constantFrom<HookSpec['match']>(
    'always',
    'always',
    'always',
    'never',
    'throws',
  ),
}

/** Enforcing hooks that reject, beside hooks that may do anything. */
function baseOf(
  onFailure: fc.Arbitrary<HookSpec['onFailure']>,
): fc.Arbitrary<HookSpec[]> {
  const rejecter = fc.record({
    ...common,
    onFailure,
    behaviour: rejecting,
    mode: fc.constant('enforce' as const),
    match: fc.constant('always' as const),
  })
  const other = fc.record({ ...anyhow, onFailure })
  return fc
    .tuple(
      named(rejecter, { tag: 'rejects', min: 1, max: 2 }),
      named(other, { tag: 'beside', min: 0, max: 2 }),
    )
    .map(([rejecters, others]) => [...rejecters, ...others])
}

function moreOf(behaviour: fc.Arbitrary<Behaviour>): fc.Arbitrary<AddedSpec[]> {
  const added = fc.record({
    ...anyhow,
    behaviour,
    onFailure: anyPolicy,
    execution: fc.constantFrom<HookSpec['execution']>(
      'blocking',
      'blocking',
      'blocking',
      'record',
      'background',
    ),
    relation: fc.constantFrom<AddedSpec['relation']>(
      'none',
      'none',
      'after',
      'before',
      'needs',
    ),
    relative: fc.nat(3),
    place: fc.nat(5),
  })
  return named(added, { tag: 'added', min: 1, max: 3 })
}

const setting = {
  point: fc.constantFrom(...points),
  parallelism: fc.constantFrom(1, 2, 16),
}

/** Everybody gets the time they need: then a reject is final for any policy. */
const ample: fc.Arbitrary<Case> = fc.record({
  ...setting,
  dispatchMs: fc.constant(10_000),
  base: baseOf(anyPolicy),
  more: moreOf(anyBehaviour),
})

/**
 * Others can use up a hook's time. What then counts is its policy, so that
 * only closed and required hooks are certain to be heard.
 */
const scarce: fc.Arbitrary<Case> = fc.record({
  ...setting,
  dispatchMs: fc.integer({ min: 15, max: 60 }),
  base: baseOf(fc.constantFrom('closed', 'required')),
  more: moreOf(fc.oneof(anyBehaviour, blocking)),
})

/** I2: a reject is final, whatever hooks are added to those that rejected. */
export function finalReject(): fc.IAsyncProperty<[Case]> {
  return law(fc.oneof(ample, scarce), async (example) => {
    const { base, more } = example
    const before = await decide(example, base)
    refuse(before, 'What a hook rejected')
    fc.pre(before === 'reject')
    const all: (HookSpec | AddedSpec)[] = [...base]
    for (const one of more) all.splice(one.place, 0, one)
    refuse(await decide(example, all), 'A reject, with more hooks,')
  })
}

/** Refusals, and errors to the caller; a table that does not load acts never. */
const refusals = new Set([
  'reject',
  'required-failed',
  'cancelled',
  'not loaded',
])

function refuse(end: string, what: string): void {
  if (!refusals.has(end)) throw new Error(`${what} became: ${end}`)
}

async function decide(
  { point, parallelism, dispatchMs, base }: Case,
  specs: readonly (HookSpec | AddedSpec)[],
): Promise<string> {
  const clock = createBlockableClock()
  const caller = new AbortController()
  const hooks = specs.map((spec): Hook => {
    if (!('relation' in spec)) return makeHook(spec, { point, clock, caller })
    const { relation, relative, place: _, ...plain } = spec
    const hook = makeHook(plain, { point, clock, caller })
    const { name } = base[relative % base.length] as HookSpec
    return relation === 'none' ? hook : { ...hook, [relation]: [name] }
  })
  const table = load(hooks)
  if (table === undefined) return 'not loaded'
  const ports = { clock, dispatchMs, parallelism, enqueue: () => {} }
  const engine = createEngine(table, ports)
  let end: unknown = 'nothing at all'
  const ask = async () => {
    end = await engine.run(point, badInput(), { signal: caller.signal })
  }
  const asked = ask().catch((error: unknown) => {
    end = error
  })
  await clock.pass(1_000)
  if (end === 'nothing at all') return end
  await asked
  if (end instanceof HookError) return end.code
  return String(Object(end).type ?? end)
}

/** A hook whose relation makes a circle, or is impossible, is never added. */
function load(hooks: readonly Hook[]) {
  try {
    return compileTable(hooks)
  } catch (error) {
    const code = error instanceof HookError ? error.code : undefined
    if (code?.startsWith('dependency-')) return undefined
    throw error
  }
}
