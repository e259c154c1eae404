import type { Answer, InputOf, Point } from 'hookline'
import type { AgentScope } from 'hookline/lifecycle'
import type { Aliases } from './alias-call.ts'
import type { AnyContext, DialectParts } from './dialect.ts'
import type { Merged } from './merge-verdicts.ts'
import type { Moment, MomentFacts } from './moment.ts'
import type { SessionMemory } from './session-memory.ts'
import type { Transcripts } from './transcript.ts'

/** What the hooks of a dialect share while a runtime runs. */
export interface World {
  readonly parts: DialectParts
  readonly aliases: Aliases
  readonly memory: SessionMemory
  readonly transcripts: Transcripts
}

/** A kind of moment: the point it happens at, and what may be said there. */
export interface Kind {
  readonly point: Point
  /** Lower runs first; default 100. */
  readonly priority?: number
  readonly writes?: boolean
  readonly capabilities: readonly string[]
  /** What it takes for the model is told at a later point. */
  readonly isCarried?: true
  /** Each hook is asked about what the ones before have left. */
  readonly isInOrder?: true
  /** Where the product cannot refuse, no failure of ours refuses either. */
  readonly onFailure?: 'open'
  /** What it is about; absent when the input is of no such moment. */
  facts(input: unknown, at: At): MomentFacts | undefined
  /** What the point is told of all that was said. */
  answer(said: Merged, input: unknown, at: MomentAt): Answer
}

export interface At {
  readonly world: World
  readonly scope: AgentScope
  readonly cwd: string
}

export interface MomentAt extends At {
  readonly moment: Moment
  readonly context: AnyContext
}

interface KindSpec<P extends Point>
  extends Pick<
    Kind,
    | 'priority'
    | 'writes'
    | 'capabilities'
    | 'isCarried'
    | 'isInOrder'
    | 'onFailure'
  > {
  facts(input: InputOf<P>, at: At): MomentFacts | undefined
  answer(said: Merged, input: InputOf<P>, at: MomentAt): Answer
}

/** Ties a kind to its point, whose inputs are the only ones it is given. */
export function kindAt<P extends Point>(point: P, spec: KindSpec<P>): Kind {
  return {
    ...spec,
    point,
    facts: (input, at) => spec.facts(input, at),
    answer: (said, input, at) => spec.answer(said, input, at),
  }
}
