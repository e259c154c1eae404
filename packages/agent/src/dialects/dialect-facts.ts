import type { JsonObject } from 'hookline/lifecycle'
import type { CommandEnd } from '../handlers/command/command-runner.ts'
import type { HandlerFailure } from '../handlers/handler-failure.ts'
import type { HttpEnd } from '../handlers/http/http-sender.ts'
import type { DialectName, DialectParts, ForeignHook } from './dialect.ts'
import type { Moment, MomentKind } from './moment.ts'
import type { Verdict } from './verdict.ts'

/** What makes a dialect; `buildHooks` does what all of them share. */
export interface DialectFacts {
  readonly name: DialectName
  /** The moments that an event fires at. */
  readonly moments: Readonly<Record<string, readonly MomentKind[]>>
  /** Whether a hook of the event is meant: matcher, conditions. Compiled once. */
  compileMatch(hook: ForeignHook, parts: DialectParts): MomentTest
  /**
   * Whether it is meant for certain; else it may refuse, but allows nothing.
   * Only where a matcher is tried with what the model writes.
   */
  compileSureMatch?(hook: ForeignHook, parts: DialectParts): MomentTest
  /** What the handler reads. */
  stdin(hook: ForeignHook, moment: Moment, parts: DialectParts): JsonObject
  /** Variables of the dialect's own, added to those of the parts. */
  env(
    hook: ForeignHook,
    moment: Moment,
    parts: DialectParts,
  ): Readonly<Record<string, string>>
  /** Variables of ours that commands do not get; default: all are passed on. */
  readonly droppedEnv?: RegExp
  /** `${NAME}` in commands that the product itself replaces. */
  placeholders?(
    hook: ForeignHook,
    parts: DialectParts,
  ): Readonly<Record<string, string>>
  /** `siblings`: all hooks of the event, this one included. */
  timeoutMs(
    hook: ForeignHook,
    siblings: readonly ForeignHook[],
    parts: DialectParts,
  ): number
  /** What a handler's end means at this moment. */
  read(end: HandlerEnd, hook: ForeignHook, moment: Moment): Verdict
  /**
   * What the product does where a hook says no: the exit code 2 of most. With
   * nothing in it: a failure goes on even in strict mode. Default: `blockedAt`.
   */
  blocked?(reason: string, hook: ForeignHook, moment: Moment): Verdict
  /** Whether a failure of it blocks, in strict mode or not; default: no. */
  failsClosed?(hook: ForeignHook, moment: Moment, end: HandlerEnd): boolean
  /** One after the other, each sees what the one before has changed. */
  isSerial?(hooks: readonly ForeignHook[]): boolean
  /** Nobody waits for it; what it says is told when it has ended. */
  isAsync?(hook: ForeignHook, moment: Moment): boolean
  /** What a prompt is called with; the answer goes to `read` as a text. */
  prompt?(hook: ForeignHook, stdin: JsonObject): string
  /** Forgets what it keeps of a session. */
  endSession?(sessionId: string): void
  /** Two hooks with the same key run once. Default: none are the same. */
  dedupeKey?(hook: ForeignHook, parts: DialectParts): string | undefined
}

export type MomentTest = (moment: Moment) => boolean

/** How a handler has ended. */
export type HandlerEnd =
  | { readonly type: 'command'; readonly end: CommandEnd }
  | { readonly type: 'http'; readonly end: HttpEnd }
  /** The text that a model or a tool has given. */
  | { readonly type: 'prompt'; readonly text: string }
  | { readonly type: 'tool'; readonly text: string; readonly isError: boolean }
  | { readonly type: 'failure'; readonly failure: HandlerFailure }
