import type { HookContext, ObserverContext } from './context.ts'
import type { Point, PointShape, ShapeOf } from './point.ts'
import type { State } from './state.ts'
import type { Table } from './table.ts'

/** What a caller may say about one dispatch. */
export interface RunOptions<P extends Point = Point> {
  /** About the moment: session, turn, agent and so on. Hooks see it. */
  readonly scope?: ShapeOf<P>['scope']
  readonly state?: State
  /** The caller's own cancellation. Never a failure of a hook. */
  readonly signal?: AbortSignal
  /** How long the caller is willing to wait. */
  readonly deadlineMs?: number
  /** Another table than the engine's newest: one held for several points. */
  readonly table?: Table
  /** The context of the hook that asks, if one does. */
  readonly parent?:
    | HookContext<PointShape>
    | ObserverContext<PointShape>
    | undefined
}
