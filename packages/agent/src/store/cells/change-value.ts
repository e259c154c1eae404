import { type Cell, createMemoryState, freezeDeep } from 'hookline'

export function initialValue<T>({ initial }: Cell<T>): T {
  return freezeDeep(initial())
}

/**
 * What a change makes of a value. The state in memory judges it, so that both
 * kinds of state refuse the same values with the same words.
 */
export function changeValue<T>(
  cell: Cell<T>,
  before: T,
  change: (value: T) => T,
): T {
  const here = { ...cell, scope: 'global', initial: () => before }
  // In memory a value is there at once, which the type leaves open.
  return createMemoryState().at({}).update(here, change) as T
}
