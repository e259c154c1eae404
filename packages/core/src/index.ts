export {
  createEngine,
  type EngineOptions,
  emptyTable,
  noopEngine,
} from './create-engine.ts'
export {
  ask,
  endTurn,
  keepGoing,
  reject,
  replace,
  respond,
  transform,
} from './define/answers.ts'
export { countCodePoints, truncate } from './define/code-points.ts'
export { defineCell } from './define/define-cell.ts'
export { deadline, defineHook } from './define/define-hook.ts'
export { defineKind } from './define/define-kind.ts'
export { definePoint, type Type, type } from './define/define-point.ts'
export {
  type Answer,
  type AnswerType,
  type AsyncScope,
  type Caller,
  type Cell,
  type Clock,
  type Condition,
  type Contributed,
  type Contribution,
  type Contributions,
  type DataLimits,
  type Decision,
  type Engine,
  type EngineEvent,
  type EngineListener,
  type EnginePorts,
  type Execution,
  freezeDeep,
  type Hook,
  type HookContext,
  type HookCounts,
  type HookDescriptor,
  HookError,
  type HookErrorCode,
  type HookRecord,
  type InputOf,
  type Job,
  type JobRefusal,
  type Kind,
  type LateNote,
  type Match,
  type MaybePromise,
  type Mode,
  type ObserverContext,
  type Outcome,
  type Plan,
  type Point,
  type PointShape,
  proceed,
  type Question,
  type RecordSink,
  type RunOptions,
  type RunState,
  type ShapeOf,
  type State,
  type Table,
  type Timer,
  type Visibility,
} from './engine/index.ts'
export {
  createMemoryRecords,
  type MemoryRecords,
} from './ports/memory-records.ts'
export {
  createMemoryState,
  type MemoryState,
  type ScopeIds,
} from './ports/memory-state.ts'
export { systemClock } from './ports/system-clock.ts'
export { compileTable, type TableOptions } from './table/compile-table.ts'
export type { MatchEngines } from './table/match.ts'
