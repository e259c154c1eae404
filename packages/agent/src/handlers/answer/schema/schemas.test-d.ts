import type { InputOf, ShapeOf } from 'hookline'
import type {
  AgentConfig,
  AgentScope,
  AuditEntry,
  BackgroundJob,
  ContextEntry,
  Message,
  ModelSettings,
  Notice,
  PointName,
  Policy,
  points,
  Restriction,
  SectionFragment,
} from 'hookline/lifecycle'
import type { agentConfig, agentScope } from './agent-schemas.ts'
import type { message } from './content-schemas.ts'
import type { contributionSchemas } from './contribution-schemas.ts'
import type { inputSchemas } from './input-schemas.ts'
import type { modelSettings } from './model-schemas.ts'
import type { SchemaType } from './typed-schema.ts'
import type { valueSchemas } from './value-schemas.ts'

type Equal<A, B> =
  (<T>() => T extends A ? 1 : 2) extends <T>() => T extends B ? 1 : 2
    ? true
    : false

/** Written out all the way, so that names and intersections do not count. */
type Plain<T> = T extends string | number | boolean | null | undefined
  ? T
  : T extends readonly (infer Item)[]
    ? readonly Plain<Item>[]
    : { readonly [K in keyof T]: Plain<T[K]> }

type Same<A, B> = Equal<Plain<A>, Plain<B>>

function isTrue<T extends true>(): T | undefined {
  return undefined
}

isTrue<Same<SchemaType<typeof agentConfig>, AgentConfig>>()
isTrue<Same<SchemaType<typeof agentScope>, AgentScope>>()
isTrue<Same<SchemaType<typeof message>, Message>>()
isTrue<Same<SchemaType<typeof modelSettings>, ModelSettings>>()

// Every value that an answer may carry, at every point.
type Values = typeof valueSchemas
type Shape<N extends PointName> = ShapeOf<(typeof points)[N]>
type SameValue<N extends keyof Values> = Values[N] extends { value: infer S }
  ? Same<SchemaType<S>, Shape<N>['value']>
  : true
type SameOutput<N extends keyof Values> = Values[N] extends { output: infer S }
  ? Same<SchemaType<S>, Shape<N>['output']>
  : true
isTrue<{ [N in keyof Values]: SameValue<N> }[keyof Values]>()
isTrue<{ [N in keyof Values]: SameOutput<N> }[keyof Values]>()

// No point that takes values is left out.
type Takes<N extends PointName, A extends string, Key extends string> =
  Extract<Shape<N>['answers'], A> extends never
    ? true
    : N extends keyof Values
      ? Key extends keyof Values[N]
        ? true
        : false
      : false
isTrue<
  { [N in PointName]: Takes<N, 'transform' | 'replace', 'value'> }[PointName]
>()
isTrue<{ [N in PointName]: Takes<N, 'respond', 'output'> }[PointName]>()

// Every input; an event is described by its type alone, and what a failed
// model call does not have is absent rather than undefined.
type Described = Exclude<PointName, 'event' | 'llm.post_call'>
type SameInput<N extends PointName> = Same<
  SchemaType<(typeof inputSchemas)[N]>,
  InputOf<(typeof points)[N]>
>
isTrue<{ [N in Described]: SameInput<N> }[Described]>()
type Ended = InputOf<(typeof points)['llm.post_call']>
type EndedSchema = SchemaType<(typeof inputSchemas)['llm.post_call']>
type Failed = Omit<Extract<Ended, { type: 'error' }>, 'response'>
isTrue<Same<Extract<EndedSchema, { type: 'error' }>, Failed>>()
isTrue<
  Same<
    Extract<EndedSchema, { type: 'response' }>,
    Extract<Ended, { type: 'response' }>
  >
>()

type Contributed<K extends keyof typeof contributionSchemas> = SchemaType<
  (typeof contributionSchemas)[K]
>
isTrue<Same<Contributed<'context'>, ContextEntry>>()
isTrue<Same<Contributed<'section'>, SectionFragment>>()
isTrue<Same<Contributed<'policy'>, Policy>>()
isTrue<Same<Contributed<'notice'>, Notice>>()
isTrue<Same<Contributed<'audit'>, AuditEntry>>()
isTrue<Same<Contributed<'job'>, BackgroundJob>>()
isTrue<Same<Contributed<'restriction'>, Restriction>>()

// @ts-expect-error a schema of something else is told apart
isTrue<Same<Contributed<'policy'>, Notice>>()
