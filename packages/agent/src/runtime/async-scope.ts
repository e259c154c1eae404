import { AsyncLocalStorage } from 'node:async_hooks'
import type { AsyncScope } from 'hookline'

/**
 * Knows which run of a hook the code now running belongs to, across awaits,
 * timers and callbacks. Give it to a runtime as `engine: { asyncScope }`.
 */
export function createAsyncScope(): AsyncScope {
  const runs = new AsyncLocalStorage<unknown>()
  return {
    run: (run, callback) => runs.run(run, callback),
    current: () => runs.getStore(),
  }
}
