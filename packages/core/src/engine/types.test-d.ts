import {
  ask,
  compileTable,
  createEngine,
  deadline,
  defineCell,
  defineHook,
  defineKind,
  definePoint,
  emptyTable,
  type HookError,
  type Outcome,
  proceed,
  reject,
  replace,
  respond,
  type ShapeOf,
  transform,
  type,
} from '../index.ts'

type Equal<A, B> =
  (<T>() => T extends A ? 1 : 2) extends <T>() => T extends B ? 1 : 2
    ? true
    : false

function isTrue<T extends true>(): T | undefined {
  return undefined
}

interface Call {
  readonly id: string
  readonly args: { readonly command: string }
}

interface Scope {
  readonly session: string
}

const fact = defineKind<{ text: string }>()('fact')
const audit = defineKind<string>()('audit', { unwaited: true })

// A user's own points.
const rewrite = definePoint('mine.rewrite', {
  input: type<Call>(),
  output: type<{ text: string }>(),
  scope: type<Scope>(),
  subject: 'args',
  answers: ['transform', 'replace', 'reject', 'respond', 'ask'],
  contributes: [fact, audit],
  fields: {
    id: ({ id }: Call) => id,
    session: (_: Call, { session }: Scope) => session,
  },
})
const guard = definePoint('mine.guard', {
  input: type<Call>(),
  answers: ['reject', 'ask'],
})
const gather = definePoint('mine.gather', {
  input: type<Call>(),
  flow: 'parallel',
  contributes: [fact, audit],
})
const seen = definePoint('mine.seen', {
  input: type<Call>(),
  flow: 'observe',
  contributes: [fact, audit],
})

isTrue<Equal<ShapeOf<typeof rewrite>['input'], Call>>()
isTrue<Equal<ShapeOf<typeof rewrite>['value'], { readonly command: string }>>()
isTrue<Equal<ShapeOf<typeof rewrite>['scope'], Scope>>()
isTrue<Equal<ShapeOf<typeof rewrite>['fields'], 'id' | 'session'>>()
isTrue<
  Equal<ShapeOf<typeof gather>['contributions']['kind'], 'fact' | 'audit'>
>()
isTrue<Equal<ShapeOf<typeof gather>['unwaited']['kind'], 'audit'>>()
isTrue<Equal<ShapeOf<typeof guard>['value'], Call>>()
isTrue<Equal<ShapeOf<typeof guard>['output'], never>>()
isTrue<Equal<ShapeOf<typeof seen>['flow'], 'observe'>>()

definePoint('mine.subject', {
  input: type<Call>(),
  // @ts-expect-error the subject is a property of the input
  subject: 'arguments',
})

definePoint('mine.answers', {
  input: type<Call>(),
  // @ts-expect-error there is no such answer
  answers: ['allow'],
})

// What a hook is given.
defineHook({
  name: 'everything',
  on: rewrite,
  writes: true,
  capabilities: ['fact'],
  match: { id: 'call-*', session: ['one', 'two'] },
  run({ args }, context) {
    isTrue<Equal<typeof context.scope, Scope>>()
    context.contribute(fact({ text: args.command }))
    return transform({ command: `${args.command} ${context.scope.session}` })
  },
})

// What a hook may answer.
defineHook({
  name: 'guard-that-transforms',
  on: guard,
  // @ts-expect-error a guard cannot transform
  run: (call) => transform(call),
})

defineHook({
  name: 'guard-that-writes',
  on: guard,
  writes: true,
  // @ts-expect-error declaring writes opens nothing that the point has not
  run: (call) => transform(call),
})

defineHook({
  name: 'transform-undeclared',
  on: rewrite,
  // @ts-expect-error a hook that transforms declares that it writes
  run: ({ args }) => transform(args),
})

defineHook({
  name: 'replace-undeclared',
  on: rewrite,
  writes: false,
  // @ts-expect-error a hook that replaces declares that it writes
  run: ({ args }) => replace(args),
})

defineHook({
  name: 'forgotten',
  on: guard,
  // @ts-expect-error an answer is forgotten on one path
  run({ args }) {
    if (args.command === 'rm') return reject('No.')
  },
})

defineHook({
  name: 'forgotten-later',
  on: guard,
  // @ts-expect-error an answer is forgotten on one path, after an await
  async run({ args }) {
    await Promise.resolve()
    if (args.command === 'rm') return reject('No.')
  },
})

defineHook({
  name: 'no-answer',
  on: guard,
  // @ts-expect-error true is no answer
  run: () => true,
})

defineHook({
  name: 'wrong-subject',
  on: rewrite,
  writes: true,
  // @ts-expect-error a command is text
  run: () => transform({ command: 1 }),
})

defineHook({
  name: 'whole-call',
  on: rewrite,
  writes: true,
  // @ts-expect-error only the subject can change, never the whole call
  run: (call) => replace(call),
})

defineHook({
  name: 'wrong-output',
  on: rewrite,
  // @ts-expect-error the output of this point is an object with text
  run: () => respond('text'),
})

defineHook({
  name: 'output-where-there-is-none',
  on: guard,
  // @ts-expect-error nothing can be responded to this point
  run: () => respond('text'),
})

defineHook({
  name: 'several',
  on: rewrite,
  run: ({ args }) => {
    if (args.command === 'rm') return reject('No.')
    if (args.command === 'mv') return ask('Really?')
    return args.command === 'ls' ? respond({ text: '' }) : proceed
  },
})

// @ts-expect-error at a point whose hooks run side by side nothing can be rewritten
defineHook({ name: 'side', on: gather, run: ({ args }) => transform(args) })

// Hooks that nobody waits for.
defineHook({
  name: 'observer-that-decides',
  on: guard,
  execution: 'record',
  // @ts-expect-error an observer decides nothing
  run: () => reject('No.'),
})

defineHook({
  name: 'job-that-decides',
  on: guard,
  execution: 'background',
  // @ts-expect-error a background hook decides nothing
  run: async () => proceed,
})

defineHook({
  name: 'observer-that-contributes',
  on: gather,
  execution: 'record',
  capabilities: ['fact', 'audit'],
  run(_, context) {
    context.contribute(audit('seen'))
    // @ts-expect-error a fact counts only if somebody waits for it
    context.contribute(fact({ text: 'seen' }))
  },
})

defineHook({
  name: 'observer-that-is-told',
  on: guard,
  execution: 'record',
  run: (_, { decision }) => void decision.by,
})

defineHook({
  name: 'gate-that-is-told',
  on: guard,
  // @ts-expect-error nothing is decided yet while a hook is waited for
  run: (_, { decision }) => (decision ? proceed : proceed),
})

defineHook({
  name: 'waited-observer',
  on: seen,
  // @ts-expect-error nobody waits at a point that only observes
  execution: 'blocking',
  run: () => {},
})

defineHook({
  name: 'deadline-observer',
  on: seen,
  // @ts-expect-error nobody waits at a point that only observes
  execution: deadline(100),
  run: () => {},
})

defineHook({
  name: 'observer-by-default',
  on: seen,
  run: (_, { decision }) => void decision.type,
})

// Failure policies.
defineHook({
  name: 'closed-guard',
  on: guard,
  onFailure: 'closed',
  execution: deadline(50),
  run: () => proceed,
})

defineHook({
  name: 'closed-gather',
  on: gather,
  // @ts-expect-error nothing can be rejected at this point
  onFailure: 'closed',
  run: () => proceed,
})

defineHook({
  name: 'required-observer',
  on: guard,
  execution: 'record',
  // @ts-expect-error nobody waits for it, so nothing can require it
  onFailure: 'required',
  run: () => {},
})

defineHook({
  name: 'closed-job',
  on: guard,
  execution: 'background',
  // @ts-expect-error nobody waits for it, so it cannot refuse anything
  onFailure: 'closed',
  run: () => {},
})

defineHook({
  name: 'fallback',
  on: rewrite,
  writes: true,
  // @ts-expect-error a fallback value is a subject of the point
  onFailure: { fallback: { value: { command: 1 } } },
  run: () => proceed,
})

defineHook({
  name: 'fallback-kind',
  on: gather,
  onFailure: { fallback: { contributions: [fact({ text: 'spare' })] } },
  run: () => proceed,
})

// Matching.
defineHook({
  name: 'misspelt',
  on: rewrite,
  // @ts-expect-error the field is called session
  match: { sesion: 'one' },
  run: () => proceed,
})

defineHook({
  name: 'predicate',
  on: rewrite,
  match: ({ id }, { session }) => id === session,
  run: () => proceed,
})

// Contributions.
defineHook({
  name: 'contributes-nothing-here',
  on: guard,
  run(_, context) {
    // @ts-expect-error this point takes no contributions
    context.contribute(fact({ text: 'one' }))
    return proceed
  },
})

// @ts-expect-error a fact has text
fact({ txt: 'one' })

// What a dispatch comes to.
const engine = createEngine(compileTable([]))
const call: Call = { id: 'call-1', args: { command: 'ls' } }

declare const rewritten: Outcome<typeof rewrite>
declare const guarded: Outcome<typeof guard>
declare const gathered: Outcome<typeof gather>

isTrue<Equal<(typeof guarded)['type'], 'proceed' | 'reject' | 'ask'>>()
isTrue<
  Equal<(typeof rewritten)['type'], 'proceed' | 'reject' | 'respond' | 'ask'>
>()
isTrue<Equal<(typeof gathered)['type'], 'proceed'>>()
isTrue<Equal<(typeof rewritten)['value'], Call>>()

if (rewritten.type === 'respond') {
  isTrue<Equal<typeof rewritten.output, { text: string }>>()
}
if (guarded.type === 'reject') {
  const { by, reason, failure } = guarded
  isTrue<Equal<typeof by, string>>()
  isTrue<Equal<typeof reason, string>>()
  const caught: HookError | undefined = failure
  void caught
}
if (guarded.type === 'ask') guarded.questions[0]?.question.trim()

// @ts-expect-error a point without reject has no such outcome
gathered.type === 'reject'

// @ts-expect-error a transform is no outcome: it is in the value
rewritten.type === 'transform'

// @ts-expect-error who rejected is known only once it is a reject
void guarded.by

const [first] = rewritten.contributions.of(fact)
isTrue<
  Equal<
    typeof first,
    | {
        readonly by: string
        readonly kind: string
        readonly value: { text: string }
      }
    | undefined
  >
>

// What a caller must bring.
void engine.run(rewrite, call, { scope: { session: 'one' } })
// @ts-expect-error the scope of this point has a session
void engine.run(rewrite, call, { scope: { sesion: 'one' } })
// @ts-expect-error the input of this point is a call
void engine.run(rewrite, 'ls')
// @ts-expect-error whoever wants the outcome awaits it, or asks whether it is a promise
void engine.run(rewrite, call).type

// Shared state.
const count = defineCell('count', { initial: () => 0 })
defineHook({
  name: 'counts',
  on: guard,
  async run(_, { state }) {
    const next: number = await state.update(count, (n) => n + 1)
    // @ts-expect-error a cell keeps its type
    await state.update(count, () => 'one')
    return next > 3 ? reject('Enough.') : proceed
  },
})

// What writes of runs is the engine's own.
createEngine(emptyTable, {
  // @ts-expect-error nobody else writes
  writer: undefined,
})
