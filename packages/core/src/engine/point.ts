import type { AnswerType } from './answer.ts'
import type { Contribution, Kind } from './contribution.ts'
import { type DataLimits, defaultDataLimits } from './data.ts'
import { HookError } from './error.ts'

/**
 * How the hooks of a point run. `serial`: one after the other, each sees what
 * the one before left. `parallel`: in dependency batches, at the same time
 * within a batch. `observe`: after the fact, waited for by nobody.
 */
export type Flow = 'serial' | 'parallel' | 'observe'

/** What a hook's failure leads to, where it is not a fallback of its own. */
export type FailureRule = 'closed' | 'open' | 'required'

/** The types that a point carries. */
export interface PointShape {
  /** What a hook sees. */
  input: unknown
  /** What `transform` and `replace` may change. */
  value: unknown
  /** What `respond` gives. */
  output: unknown
  answers: AnswerType
  contributions: Contribution
  /** The contributions open to hooks that nobody waits for. */
  unwaited: Contribution
  /** The names that a matcher may use. */
  fields: string
  scope: object
  flow: Flow
}

/** A named moment. A value; its name is stable, its type says what is allowed. */
export interface Point<
  // biome-ignore lint/suspicious/noExplicitAny: stands for every shape
  S extends PointShape = any,
> {
  readonly name: string
  readonly flow: S['flow']
  readonly order: 'ascending' | 'descending'
  /** The property of the input that answers may change; else all of it. */
  readonly subject: string | undefined
  readonly answers: ReadonlySet<string>
  readonly kinds: ReadonlyMap<string, Kind>
  readonly fields: ReadonlyMap<string, Field>
  /** What a hook without a failure policy of its own has. */
  readonly failure: FailureRule
  /** Answers that need a capability, by its name. */
  readonly rights: ReadonlyMap<string, string>
  readonly limits: DataLimits
  /** Only for the compiler. */
  readonly '~shape'?: S
}

export type Field = (input: never, scope: never) => unknown

type Made<K> =
  K extends Kind<infer Name> ? Contribution<Name, Parameters<K>[0]> : never

export type ShapeOf<P extends Point> = NonNullable<P['~shape']>
export type InputOf<P extends Point> = ShapeOf<P>['input']

/** A type handed over as a value, so that the rest can be inferred. */
export interface Type<T> {
  readonly '~type'?: T
}

export function type<T>(): Type<T> {
  return {}
}

/** What `definePoint` takes; everything but `input` has a default. */
export interface PointSpec<
  In,
  Out,
  Scope,
  Answers,
  Kinds,
  Fields extends string,
  Subject,
  F,
> {
  readonly input: Type<In>
  readonly output?: Type<Out>
  readonly scope?: Type<Scope>
  readonly flow?: F
  /** By priority: `ascending`, lower first (default), or the onion's way out. */
  readonly order?: 'ascending' | 'descending'
  readonly subject?: Subject
  readonly answers?: readonly Answers[]
  readonly contributes?: readonly Kinds[]
  readonly fields?: {
    readonly [K in Fields]: (input: In, scope: Scope) => unknown
  }
  readonly failure?: 'open' | 'required'
  readonly rights?: { readonly [K in Answers & string]?: string }
  readonly limits?: Partial<DataLimits>
}

export function definePoint<
  In,
  Out = never,
  Scope extends object = object,
  const Answers extends AnswerType = never,
  const Kinds extends Kind = never,
  const Fields extends string = never,
  const Subject extends keyof In & string = never,
  const F extends Flow = 'serial',
>(
  name: string,
  spec: PointSpec<In, Out, Scope, Answers, Kinds, Fields, Subject, F>,
): Point<{
  input: In
  value: [Subject] extends [never] ? In : In[Subject]
  output: Out
  answers: Answers
  contributions: Made<Kinds>
  unwaited: Made<Extract<Kinds, { unwaited: true }>>
  fields: Fields
  scope: Scope
  flow: F
}> {
  const flow = spec.flow ?? 'serial'
  const answers = new Set<string>(spec.answers)
  checkPoint(name, flow, answers)
  return Object.freeze({
    name,
    flow: flow as F, // the default of the type parameter is the default here
    order: spec.order ?? 'ascending',
    subject: spec.subject,
    answers,
    kinds: new Map(spec.contributes?.map((kind) => [kind.kind, kind])),
    fields: new Map(Object.entries<Field>(spec.fields ?? {})),
    failure: spec.failure ?? (answers.has('reject') ? 'closed' : 'open'),
    rights: new Map(Object.entries<string>({ ...spec.rights })),
    limits: { ...defaultDataLimits, ...spec.limits },
  })
}

// What hooks that run at the same time can say without contradicting others.
const parallelAnswers = new Set(['reject', 'ask'])

function checkPoint(name: string, flow: Flow, answers: Set<string>): void {
  if (!/^[a-z][a-z0-9_]*(\.[a-z][a-z0-9_]*)*$/.test(name)) {
    throw new HookError(
      'invalid-point',
      `"${name}" is not a point name; use lower-case words joined by dots.`,
    )
  }
  for (const answer of answers) {
    const allowed =
      flow === 'serial' || (flow === 'parallel' && parallelAnswers.has(answer))
    if (allowed) continue
    throw new HookError(
      'invalid-point',
      `Point ${name} is ${flow}, so its hooks cannot answer "${answer}"; make it serial.`,
    )
  }
}
