import fc from 'fast-check'

/** How a hook hands over arguments: as data, or in a way that means harm. */
type Shape =
  /** A new object each time. */
  | 'plain'
  /** An object that it keeps and changes whenever it can. */
  | 'shared'
  /** The same, frozen outside, so that it looks as if it could not. */
  | 'half-frozen'
  /** Says something else each time it is read. */
  | 'getter'
  | 'proxy'

/** Arguments are `{ x, deep: { x } }`, so that harm can be done inside. */
export interface ArgsSpec {
  readonly x: number
  readonly shape: Shape
}

export type Behaviour =
  | { readonly type: 'proceed' }
  | { readonly type: 'reject' }
  /** Rejects some arguments, and lets the others pass. */
  | { readonly type: 'reject-some'; readonly x: number }
  | { readonly type: 'ask' }
  | { readonly type: 'throw' }
  /** Tries to change what it was given, and keeps it to try again later. */
  | { readonly type: 'tamper' }
  /** Puts the other hooks in place. */
  | { readonly type: 'swap' }
  /** Calls the tool itself. */
  | { readonly type: 'call'; readonly args: ArgsSpec }
  | { readonly type: 'transform' | 'replace'; readonly args: ArgsSpec }
  | { readonly type: 'respond' }
  | { readonly type: 'endTurn' }

export interface HookSpec {
  readonly at: 'pre' | 'guard'
  readonly priority: number
  readonly behaviour: Behaviour
  /** What it does when it is asked again about the same call. */
  readonly again: Behaviour
  /** How long it takes; above its time limit of 5 its answer is late. */
  readonly delayMs: number
  readonly onFailure: 'closed' | 'open'
  readonly mode: 'enforce' | 'evaluate'
  /** It matches only calls with this `x`, or every call. */
  readonly onlyX: number | undefined
}

export type Approval =
  | { readonly type: 'allow' }
  | { readonly type: 'deny' }
  | { readonly type: 'edit'; readonly args: ArgsSpec }

interface PolicySpec {
  readonly denies: number | undefined
  readonly asks: number | undefined
  readonly isAsync: boolean
}

/** One turn: its calls, who judges them, and what happens meanwhile. */
export interface Case {
  readonly calls: readonly number[]
  readonly hooks: readonly HookSpec[]
  /** The hooks that a swap puts in place. */
  readonly others: readonly HookSpec[]
  readonly policy: PolicySpec
  readonly approvals: readonly { decision: Approval; delayMs: number }[]
  /** How arguments are checked: by JSON Schema, or by code, as they are. */
  readonly check: 'schema' | 'code' | 'fills'
  readonly concurrency: number
  readonly cancelAt: number | undefined
}

const anyX = fc.constantFrom(1, 2, 3, 99)

const anyArgs: fc.Arbitrary<ArgsSpec> = fc.record({
  x: anyX,
  shape: fc.constantFrom<Shape>(
    'plain',
    'plain',
    'shared',
    'half-frozen',
    'getter',
    'proxy',
  ),
})

const simple = (type: Exclude<Behaviour['type'], 'call' | 'reject-some'>) =>
  fc.constant({ type } as Behaviour)

const rejectSome = anyX.map((x): Behaviour => ({ type: 'reject-some', x }))

const judging: fc.Arbitrary<Behaviour> = fc.oneof(
  { weight: 4, arbitrary: simple('proceed') },
  { weight: 3, arbitrary: rejectSome },
  { weight: 2, arbitrary: simple('ask') },
  { weight: 2, arbitrary: simple('tamper') },
  { weight: 1, arbitrary: simple('swap') },
  { weight: 1, arbitrary: simple('throw') },
  { weight: 1, arbitrary: simple('reject') },
  {
    weight: 1,
    arbitrary: anyArgs.map((args): Behaviour => ({ type: 'call', args })),
  },
)

const rewriting: fc.Arbitrary<Behaviour> = fc
  .record({
    type: fc.constantFrom('transform', 'transform', 'replace'),
    args: anyArgs,
  })
  .map(({ type, args }) => ({ type, args }))

const anyhow: fc.Arbitrary<Behaviour> = fc.oneof(
  { weight: 5, arbitrary: judging },
  { weight: 4, arbitrary: rewriting },
  { weight: 1, arbitrary: fc.oneof(simple('respond'), simple('endTurn')) },
)

const common = {
  priority: fc.integer({ min: 0, max: 9 }),
  delayMs: fc.constantFrom(0, 0, 0, 1, 3, 8),
  onFailure: fc.constantFrom<HookSpec['onFailure']>('closed', 'closed', 'open'),
  mode: fc.constantFrom<HookSpec['mode']>('enforce', 'enforce', 'evaluate'),
  onlyX: fc.constantFrom(undefined, undefined, undefined, 1, 2, 99),
}

const anyHook: fc.Arbitrary<HookSpec> = fc.oneof(
  fc.record({
    ...common,
    at: fc.constant('pre' as const),
    behaviour: anyhow,
    again: anyhow,
  }),
  fc.record({
    ...common,
    at: fc.constant('guard' as const),
    behaviour: judging,
    again: judging,
  }),
)

const anyApproval: fc.Arbitrary<Approval> = fc.oneof(
  { weight: 3, arbitrary: fc.constant({ type: 'allow' as const }) },
  { weight: 1, arbitrary: fc.constant({ type: 'deny' as const }) },
  {
    weight: 2,
    arbitrary: anyArgs.map((args) => ({ type: 'edit' as const, args })),
  },
)

export const anyCase: fc.Arbitrary<Case> = fc.record({
  calls: fc.array(anyX, { minLength: 1, maxLength: 3 }),
  hooks: fc.array(anyHook, { maxLength: 5 }),
  others: fc.array(anyHook, { maxLength: 3 }),
  policy: fc.record({
    denies: fc.constantFrom(undefined, undefined, 99, 3),
    asks: fc.constantFrom(undefined, undefined, undefined, 2),
    isAsync: fc.boolean(),
  }),
  approvals: fc.array(
    fc.record({ decision: anyApproval, delayMs: fc.constantFrom(0, 0, 2, 7) }),
    { minLength: 1, maxLength: 5 },
  ),
  check: fc.constantFrom<Case['check']>('schema', 'code', 'fills'),
  concurrency: fc.constantFrom(1, 2, 8),
  cancelAt: fc.constantFrom(undefined, undefined, undefined, 1, 4, 9),
})
