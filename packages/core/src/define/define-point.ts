import {
  type AnswerType,
  type Contribution,
  type DataLimits,
  type Field,
  type Flow,
  HookError,
  type Kind,
  type Point,
} from '../engine/index.ts'

type Made<K> =
  K extends Kind<infer Name> ? Contribution<Name, Parameters<K>[0]> : never

/** A type handed over as a value, so that the rest can be inferred. */
export interface Type<T> {
  readonly '~type'?: T
}

/** Stands for a type where a value is needed: `input: type<Mail>()`. */
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
  /** It judges what is streamed: hooks may say how much they hold back. */
  readonly isStreamed?: boolean
  /** What observers may see of an input that was rejected; absent: all. */
  readonly conceal?: (input: In) => NoInfer<In>
  /** How long a dispatch of it may take as a whole. */
  readonly deadlineMs?: number
}

/** Makes a point; everything but its `input` has a default. */
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
  value: [Subject] extends [never] ? In : Exclude<In[Subject], undefined>
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
  checkLimits(name, { ...spec.limits, deadlineMs: spec.deadlineMs })
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
    deadlineMs: spec.deadlineMs,
    isStreamed: spec.isStreamed ?? false,
    conceal: spec.conceal,
    limits: {
      depth: spec.limits?.depth ?? 64,
      keys: spec.limits?.keys ?? 10_000,
      chars: spec.limits?.chars ?? 1_048_576,
    },
  })
}

// What hooks that run at the same time can say without contradicting others.
const parallelAnswers = new Set(['reject', 'ask'])

function checkPoint(name: string, flow: Flow, answers: Set<string>): void {
  if (!/^[a-z][a-z0-9_]*(\.[a-z][a-z0-9_]*)*$/.test(name)) {
    const message = `"${name}" is not a point name; use lower-case words joined by dots.`
    throw new HookError('invalid-point', message)
  }
  for (const answer of answers) {
    const allowed =
      flow === 'serial' || (flow === 'parallel' && parallelAnswers.has(answer))
    if (allowed) continue
    const message = `Point ${name} is ${flow}, so its hooks cannot answer "${answer}"; make it serial.`
    throw new HookError('invalid-point', message)
  }
}

function checkLimits(name: string, limits: object): void {
  for (const [key, limit] of Object.entries(limits)) {
    if (limit === undefined || limit > 0) continue
    const message = `Point ${name} has a ${key} that is not a positive number.`
    throw new HookError('invalid-point', message)
  }
}
