/** Whether something has to be waited for; whose promise it is does not matter. */
export function isPromiseLike<T>(
  value: T | PromiseLike<T>,
): value is PromiseLike<T> {
  return (
    typeof value === 'object' &&
    value !== null &&
    'then' in value &&
    typeof value.then === 'function'
  )
}

/** What a port gave: its promise as one of ours, or the value that is there. */
export function settled<T>(given: T | PromiseLike<T>): T | Promise<T> {
  if (!isPromiseLike(given) || given instanceof Promise) return given
  return Promise.resolve(given)
}
