import type {
  DefaultExecution,
  ExecutionOf,
  Hook,
  Point,
  ShapeOf,
} from '../engine/index.ts'

/** Waits for at most `ms`. */
export function deadline(ms = 1_000): { readonly deadlineMs: number } {
  return { deadlineMs: ms }
}

/** Gives a hook its types. The hook is frozen: what it declares is data. */
export function defineHook<
  P extends Point,
  const E extends ExecutionOf<ShapeOf<P>> = DefaultExecution<ShapeOf<P>>,
  const W extends boolean = false,
>(hook: Hook<P, E, W>): Hook<P, E, W> {
  return Object.freeze(hook)
}
