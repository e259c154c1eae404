export {
  type Answer,
  type AnswerType,
  type Ask,
  type CheckedAnswer,
  type EndTurn,
  type KeepGoing,
  type Proceed,
  payloadKeys,
  proceed,
  type Reject,
  type Replace,
  type Respond,
  type Transform,
} from './answer.ts'
export { AnyOf } from './any-of.ts'
export type { Clock, Timer, WallOffset } from './clock.ts'
export type { HookContext, ObserverContext } from './context.ts'
export {
  type Contributed,
  type Contribution,
  Contributions,
  type Kind,
} from './contribution.ts'
export { Dispatch } from './dispatch.ts'
export { type Engine, type HookCounts, HookEngine } from './engine.ts'
export {
  type FailureCode,
  HookError,
  type HookErrorCode,
  hookError,
  type LoadCode,
} from './error.ts'
export type { AlarmCode, EngineEvent, EngineListener } from './event.ts'
export { type DataLimits, freezeDeep, isPlain } from './freeze.ts'
export type {
  AnswerOf,
  Condition,
  ContextOf,
  DefaultExecution,
  Execution,
  ExecutionOf,
  Fallback,
  HoldBack,
  Hook,
  Match,
  OnFailure,
  Retry,
  SafeUntil,
  Unwaited,
  Waited,
} from './hook.ts'
export { scopeOf, stateOf } from './nesting.ts'
export type {
  AsyncScope,
  Breaker,
  Caller,
  CancelListener,
  CancelSignal,
  EnginePorts,
  InnerOptions,
  Job,
  JobOptions,
  JobRefusal,
  Judge,
  Observers,
  RunOptions,
  RunWriter,
} from './options.ts'
export {
  type Decision,
  type Outcome,
  type Question,
  untouched,
  type Verdict,
} from './outcome.ts'
export type {
  HookDescriptor,
  Plan,
  PlannedFallback,
  PlannedHook,
  Table,
} from './plan.ts'
export type {
  Field,
  Flow,
  InputOf,
  Point,
  PointShape,
  ShapeOf,
} from './point.ts'
export type {
  Diagnostic,
  EndedRun,
  Ending,
  FailurePolicy,
  HandlerId,
  HookRecord,
  KnownRun,
  LateNote,
  Mode,
  RecordSink,
  RunNote,
  RunState,
  Said,
  StartedRun,
  Visibility,
} from './record.ts'
export type { HookRun } from './run.ts'
export type { Cell, MaybePromise, State } from './state.ts'
