export {
  type Answer,
  type AnswerType,
  type Ask,
  ask,
  type EndTurn,
  endTurn,
  type KeepGoing,
  keepGoing,
  type Proceed,
  proceed,
  type Reject,
  type Replace,
  type Respond,
  reject,
  replace,
  respond,
  type Transform,
  transform,
} from './answer.ts'
export { type Clock, systemClock, type Timer } from './clock.ts'
export type { Decision, HookContext, ObserverContext } from './context.ts'
export {
  type Contributed,
  type Contribution,
  Contributions,
  defineKind,
  type Kind,
} from './contribution.ts'
export { type DataLimits, freezeDeep } from './data.ts'
export { createEngine, type Engine, noopEngine } from './engine.ts'
export { HookError, type HookErrorCode } from './error.ts'
export type { EngineEvent, EngineListener } from './event.ts'
export { deadline, defineHook, type Execution, type Hook } from './hook.ts'
export type { HookCounts } from './kernel.ts'
export type { Condition, Match, MatchEngines } from './match.ts'
export type { AsyncScope, EngineOptions, Job } from './options.ts'
export type { Outcome, Question, Verdict } from './outcome.ts'
export {
  definePoint,
  type InputOf,
  type Point,
  type PointShape,
  type ShapeOf,
  type Type,
  type,
} from './point.ts'
export {
  createMemoryRecords,
  type HookRecord,
  type LateNote,
  type MemoryRecords,
  type Mode,
  type RecordSink,
  type RunState,
  runId,
  type Visibility,
} from './record.ts'
export type { HookDescriptor } from './resolve-hook.ts'
export type { RunOptions } from './run-options.ts'
export {
  type Cell,
  createMemoryState,
  defineCell,
  type MaybePromise,
  type MemoryState,
  type State,
} from './state.ts'
export {
  compileTable,
  emptyTable,
  type Plan,
  type Table,
  type TableOptions,
} from './table.ts'
export { countCodePoints, truncate } from './text.ts'
