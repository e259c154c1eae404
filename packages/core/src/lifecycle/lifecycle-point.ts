import { definePoint, type Type, type } from '../define/define-point.ts'
import {
  type AnswerType,
  AnyOf,
  type DataLimits,
  type Kind,
  type PointShape,
} from '../engine/index.ts'
import { audit } from './contributions/audit.ts'
import { job } from './contributions/job.ts'
import { notice } from './contributions/notice.ts'
import type { AgentScope } from './scope.ts'

/** For points whose subject holds a conversation or media. */
export const contentLimits: Partial<DataLimits> = {
  keys: 1_000_000,
  chars: 64 * 1_048_576,
}

type Everywhere = typeof notice | typeof audit | typeof job
type Flow = PointShape['flow']

type FieldsOf<In, Names extends string> = {
  readonly [K in Names]: (input: In, scope: AgentScope) => unknown
}

const scopeFields = {
  // What is said of an agent holds for those that work for it.
  agent: (_: unknown, { agent, parents }: AgentScope) =>
    parents === undefined ? agent : new AnyOf([agent, ...parents]),
  origin: (_: unknown, scope: AgentScope) => scope.origin,
}

type ScopeField = keyof typeof scopeFields

/** What `definePoint` takes, without what all points of the lifecycle share. */
interface LifecycleSpec<In, Out, Answers, Kinds, Fields extends string, S, F> {
  readonly input: Type<In>
  readonly output?: Type<Out>
  readonly flow?: F
  readonly order?: 'ascending' | 'descending'
  readonly subject?: S
  readonly answers?: readonly Answers[]
  readonly contributes?: readonly Kinds[]
  readonly fields?: FieldsOf<In, Fields>
  readonly failure?: 'open' | 'required'
  readonly rights?: { readonly [K in Answers & string]?: string }
  readonly limits?: Partial<DataLimits>
  readonly isStreamed?: boolean
  readonly conceal?: (input: In) => NoInfer<In>
}

/**
 * A point that has the scope of an agent, can be matched by it, and takes
 * notices, audit entries and jobs.
 */
export function lifecyclePoint<
  In,
  Out = never,
  const Answers extends AnswerType = never,
  const Kinds extends Kind = never,
  const Fields extends string = never,
  const Subject extends keyof In & string = never,
  const F extends Flow = 'serial',
>(
  name: string,
  spec: LifecycleSpec<In, Out, Answers, Kinds, Fields, Subject, F>,
) {
  return definePoint<
    In,
    Out,
    AgentScope,
    Answers,
    Kinds | Everywhere,
    Fields | ScopeField,
    Subject,
    F
  >(name, {
    ...spec,
    scope: type<AgentScope>(),
    contributes: [...(spec.contributes ?? []), notice, audit, job],
    // The compiler does not see that a spread has the names of both.
    fields: { ...spec.fields, ...scopeFields } as FieldsOf<
      In,
      Fields | ScopeField
    >,
  })
}
