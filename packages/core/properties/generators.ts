import fc from 'fast-check'
import { defineKind } from '../src/define/define-kind.ts'
import { definePoint, type } from '../src/define/define-point.ts'
import type { Flow, Hook, HookContext, Point } from '../src/engine/index.ts'
import type { BlockableClock } from './blockable-clock.ts'

/** What is judged; deep enough that freezing only its surface shows. */
export interface Judged {
  bad: boolean
  nested: { deep: { bad: boolean }; list: { bad: boolean }[] }
}

export function badInput(): Judged {
  return { bad: true, nested: { deep: { bad: true }, list: [{ bad: true }] } }
}

/** What a hook with the policy `fallback` falls back to. */
const remark = defineKind<string>()('remark')

export function gate(flow: Flow, ...answers: ('reject' | 'ask')[]): Point {
  const name = ['gate', flow, ...answers].join('.')
  const contributes = [remark]
  return definePoint(name, {
    input: type<Judged>(),
    flow,
    answers,
    contributes,
  })
}

/** What a hook does when it is asked. Without `afterMs` it answers at once. */
export type Behaviour =
  | {
      does: 'answer' | 'throw' | 'resolve-twice'
      say: unknown
      afterMs?: number
    }
  | { does: 'judge'; afterMs?: number }
  | { does: 'mutate' | 'nest' | 'cancel' | 'breach' | 'hang' }
  | { does: 'block'; say: unknown; blockMs: number }

/** A hook as data; whatever can be declared without another hook. */
export interface HookSpec {
  readonly name: string
  readonly behaviour: Behaviour
  readonly onFailure: 'open' | 'closed' | 'required' | 'fallback'
  readonly priority: number
  readonly timeoutMs: number
  readonly mode: 'enforce' | 'evaluate'
  readonly match: 'always' | 'never' | 'throws'
  readonly execution: 'blocking' | 'record' | 'background'
}

const proceeds = { type: 'proceed' }
const rejects = { type: 'reject', reason: 'No.' }
const asks = { type: 'ask', question: 'May it?' }

/** Answers that are none, or not at these points. */
const invalid = fc.oneof(
  fc.anything(),
  fc.constantFrom<unknown>(
    undefined,
    null,
    true,
    'proceed',
    [proceeds],
    { type: 'Proceed' },
    { type: 'allow' },
    { type: 'replace', value: {} },
    { type: 'respond', output: 'yes' },
    { type: 'transform', value: badInput() },
    { type: 'ask', question: 1 },
    JSON.stringify(proceeds),
  ),
)

const afterMs = fc.option(fc.integer({ min: 0, max: 30 }), { nil: undefined })

/** Answers and failures that may come at once, later, or too late. */
function spoken(say: fc.Arbitrary<unknown>): fc.Arbitrary<Behaviour> {
  const does = fc.constantFrom('answer', 'answer', 'throw', 'resolve-twice')
  return fc.record({ does, say, afterMs }) as fc.Arbitrary<Behaviour>
}

export const rejecting: fc.Arbitrary<Behaviour> = fc.oneof(
  fc.record({ does: fc.constant('judge' as const) }),
  fc.record({
    does: fc.constantFrom('answer' as const, 'judge' as const),
    say: fc.constant(rejects),
    afterMs: fc.integer({ min: 0, max: 9 }),
  }),
)

export const anyBehaviour: fc.Arbitrary<Behaviour> = fc.oneof(
  { weight: 4, arbitrary: spoken(fc.constantFrom(proceeds, rejects, asks)) },
  { weight: 2, arbitrary: spoken(invalid) },
  {
    weight: 3,
    arbitrary: fc.record({
      does: fc.constantFrom('mutate', 'nest', 'cancel', 'breach', 'hang'),
    }),
  },
)

export const blocking: fc.Arbitrary<Behaviour> = fc.record({
  does: fc.constant('block' as const),
  say: fc.constantFrom<unknown>(proceeds, rejects, asks, undefined),
  blockMs: fc.integer({ min: 0, max: 60 }),
})

export const anyPolicy: fc.Arbitrary<HookSpec['onFailure']> = fc.constantFrom(
  'open',
  'closed',
  'required',
  'fallback',
)

export const priority: fc.Arbitrary<number> = fc.constantFrom(
  -1,
  0,
  1,
  50,
  99.5,
  100,
  101,
  1e6,
)

/** Gives every hook a name of its own whose place in the alphabet is random. */
export function named<T>(
  hooks: fc.Arbitrary<T>,
  { tag, min, max }: { tag: string; min: number; max: number },
): fc.Arbitrary<(T & { name: string })[]> {
  const letters = fc.constantFrom('A', 'Z', 'a', 'm', 'z', '0', '_', '@')
  return fc
    .array(fc.tuple(letters, hooks), { minLength: min, maxLength: max })
    .map((all) =>
      all.map(([letter, hook], at) => ({
        ...hook,
        name: `${letter}-${tag}${at}`,
      })),
    )
}

export interface Setting {
  readonly point: Point
  readonly clock: BlockableClock
  readonly caller: AbortController
}

/** The hook that a spec describes. */
export function makeHook(spec: HookSpec, setting: Setting): Hook {
  const { behaviour, match, execution, onFailure, ...declared } = spec
  const matches = {
    always: {},
    never: { match: () => false },
    throws: {
      match: () => {
        throw new Error('matcher')
      },
    },
  }
  return {
    ...declared,
    ...matches[match],
    ...(execution === 'blocking' ? policyOf(onFailure) : { execution }),
    on: setting.point,
    run: ((input: Judged, context: HookContext<never>) =>
      act(behaviour, { ...setting, input, context })) as never,
  }
}

function policyOf(onFailure: HookSpec['onFailure']): Partial<Hook> {
  if (onFailure !== 'fallback') return { onFailure }
  const fallback = { contributions: [remark('failed')] }
  return { onFailure: { fallback }, capabilities: ['remark'] }
}

interface Scene extends Setting {
  readonly input: Judged
  readonly context: HookContext<never>
}

function act(behaviour: Behaviour, scene: Scene): unknown {
  const { clock, input, context, caller, point } = scene
  switch (behaviour.does) {
    case 'answer':
      return later(clock, behaviour, (resolve) => resolve(behaviour.say))
    case 'throw':
      return later(clock, behaviour, (_, fail) => fail(behaviour.say))
    case 'resolve-twice':
      return later(clock, behaviour, (resolve, fail) => {
        resolve(behaviour.say)
        resolve(proceeds)
        fail(new Error('too late'))
      })
    case 'judge':
      return later(clock, behaviour, (resolve) =>
        resolve(isBad(input) ? rejects : proceeds),
      )
    case 'mutate':
      return mutate(input)
    case 'nest':
      return nest(scene)
    case 'cancel':
      clock.after(1, () => caller.abort())
      return proceeds
    case 'breach':
      try {
        context.contribute({ kind: point.name, value: 1 } as never)
      } catch {
        // It hopes that nobody noticed.
      }
      return proceeds
    case 'hang':
      return new Promise(() => {})
    case 'block':
      clock.block(behaviour.blockMs)
      return behaviour.say
  }
}

type Settle = (
  resolve: (value: unknown) => void,
  reject: (cause: unknown) => void,
) => void

/** At once or in a while; what settles more than once is a thenable. */
function later(
  clock: BlockableClock,
  { does, afterMs: ms }: { does: string; afterMs?: number | undefined },
  settle: Settle,
): unknown {
  if (does === 'resolve-twice') {
    const soon: Settle = (resolve, reject) =>
      void clock.after(ms ?? 0, () => settle(resolve, reject))
    // biome-ignore lint/suspicious/noThenProperty: what a hook may give
    return { then: ms === undefined ? settle : soon }
  }
  if (ms !== undefined) {
    return new Promise((resolve, reject) => {
      clock.after(ms, () => settle(resolve, reject))
    })
  }
  let answer: unknown
  settle(
    (value) => {
      answer = value
    },
    (cause) => {
      throw cause
    },
  )
  return answer
}

function isBad({ bad, nested }: Judged): boolean {
  // Whoever could change any of it would have it judged well.
  return bad && nested.deep.bad && nested.list.some((one) => one.bad)
}

function mutate(input: Judged): unknown {
  const attempts = [
    () => Object.assign(input, { bad: false }),
    () => Object.assign(input.nested.deep, { bad: false }),
    () => input.nested.list.splice(0),
    () => Object.setPrototypeOf(input, { bad: false }),
    () => Reflect.deleteProperty(input.nested, 'deep'),
  ]
  for (const attempt of attempts) {
    try {
      attempt()
    } catch {
      // Frozen, as it must be.
    }
  }
  return proceeds
}

/** Asks the same point from inside, and takes no notice of the answer. */
async function nest({ context, point, input }: Scene): Promise<unknown> {
  try {
    await context.dispatch(point, input)
  } catch {
    // Nor of the error.
  }
  return proceeds
}
