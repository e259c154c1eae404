import type { Answer } from './answer.ts'
import type { HookContext, ObserverContext } from './context.ts'
import type { Point, PointShape, ShapeOf } from './point.ts'
import type { HandlerId, Mode, Visibility } from './record.ts'

/** The dispatch waits for the answer, for 30 s or for the given time. */
export type Waited = 'blocking' | { readonly deadlineMs: number }
/** `record`: start now, delay nobody. `background`: queue as a job. */
export type Unwaited = 'record' | 'background'
export type Execution = Waited | Unwaited

/** What the chain goes on with when a hook gave no valid answer. */
export interface Fallback<S extends PointShape> {
  readonly value?: S['value']
  readonly contributions?: readonly S['contributions'][]
}

/** What to do when there is no valid answer. Never about a valid one. */
export type OnFailure<S extends PointShape, E extends Execution> =
  | 'open'
  | (E extends Unwaited
      ? never
      :
          | 'required'
          | { readonly fallback: Fallback<S> }
          | ('reject' extends S['answers'] ? 'closed' : never))

type Allowed<S extends PointShape, W extends boolean> = W extends true
  ? S['answers']
  : Exclude<S['answers'], 'transform' | 'replace'>

/** What a hook may answer: what its point allows and its declaration covers. */
export type AnswerOf<
  S extends PointShape,
  E extends Execution,
  W extends boolean,
> = E extends Unwaited
  ? // biome-ignore lint/suspicious/noConfusingVoidType: it is a return type
    void
  : Extract<
      Answer<S['value'], S['output']>,
      { type: 'proceed' | Allowed<S, W> }
    >

export type ContextOf<
  S extends PointShape,
  E extends Execution,
> = E extends Unwaited ? ObserverContext<S> : HookContext<S>

export type ExecutionOf<S extends PointShape> = S['flow'] extends 'observe'
  ? Unwaited
  : Execution

export type DefaultExecution<S extends PointShape> = S['flow'] extends 'observe'
  ? 'record'
  : 'blocking'

/**
 * What a field must be. A text with `*`, `?` or `{a,b}` is a pattern; a list
 * means any of them; an object names properties (dots go deeper), unless they
 * are `$is` (this very text), `$not`, or `$regex` (for the table's own engine).
 */
export type Condition =
  | string
  | number
  | boolean
  | null
  | RegExp
  | readonly Condition[]
  | { readonly [path: string]: Condition }

/** Which inputs a hook runs for: conditions that all must hold, or code. */
export type Match<P extends Point> =
  | ([ShapeOf<P>['fields']] extends [never]
      ? never
      : { readonly [K in ShapeOf<P>['fields']]?: Condition })
  | ((input: ShapeOf<P>['input'], scope: ShapeOf<P>['scope']) => boolean)

/**
 * How much of a streamed reply stays back until a hook has judged the whole:
 * all of it, the sentence that is not yet complete, that many of the newest
 * code points, or nothing.
 */
export type HoldBack = 'all' | 'sentence' | 'none' | { readonly window: number }

/**
 * Says up to where a text that still grows may go out. `from` is where that
 * begins which has not gone out; what stands before it is there to be read
 * only. `isWhole`: nothing will be added to it.
 */
export type SafeUntil = (text: string, from: number, isWhole: boolean) => number

/** How often a job is tried, and how long to wait in between. */
export interface Retry {
  /** The wait stays the same, or doubles each time. */
  readonly type: 'fixed' | 'exponential'
  readonly delayMs: number
  /** The first one counts, too. */
  readonly maxAttempts: number
}

/** Plain data and one function. `resolveHook` has the defaults. */
export interface Hook<
  P extends Point = Point,
  // biome-ignore lint/suspicious/noExplicitAny: stands for every execution
  E extends Execution = any,
  // biome-ignore lint/suspicious/noExplicitAny: stands for either
  W extends boolean = any,
> {
  /** Unique in its table, and stable: it appears in records. */
  readonly name: string
  readonly on: P
  /** What code runs; a handler can be bound more than once. */
  readonly handler?: Partial<HandlerId>
  /** Absent: every input. */
  readonly match?: Match<P>
  /** Lower runs first; default 100. */
  readonly priority?: number
  /** Runs after these hooks. */
  readonly after?: readonly string[]
  /** Runs before these hooks. */
  readonly before?: readonly string[]
  /** Runs after these hooks, and only if they completed. */
  readonly needs?: readonly string[]
  readonly execution?: E
  /** For `background`: to run twice is as good as once. Default: false. */
  readonly idempotent?: boolean
  /** For `background` and idempotent hooks. Default: it is tried once. */
  readonly retry?: Retry
  /** Another time limit than the 30 s of a hook without a deadline. */
  readonly timeoutMs?: number
  /** Default: as the point says; `closed` where it can refuse, else `open`. */
  readonly onFailure?: OnFailure<ShapeOf<P>, E>
  /** The kinds it contributes and the rights it uses. */
  readonly capabilities?: readonly string[]
  /** Whether it may answer `transform` or `replace`. */
  readonly writes?: W
  /** It knows that hooks after it may change what it judged. */
  readonly beforeWrites?: boolean
  /** At points that judge a stream: how much waits for its answer. */
  readonly holdBack?: HoldBack
  /**
   * In place of `holdBack`: looks at the text itself. What it lets out must be
   * what the hook leaves as it is, whatever follows. If it fails, all waits.
   */
  readonly safeUntil?: SafeUntil
  readonly visibility?: Visibility
  /** `evaluate`: it runs and is recorded, and nothing changes. */
  readonly mode?: Mode
  readonly disabled?: boolean
  run(
    input: ShapeOf<P>['input'],
    context: ContextOf<ShapeOf<P>, E>,
  ): AnswerOf<ShapeOf<P>, E, W> | PromiseLike<AnswerOf<ShapeOf<P>, E, W>>
}
