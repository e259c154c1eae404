import type { MaybePromise } from 'hookline'

/** Goes on with a value: at once if it is there, else when it comes. */
export function chain<T, R>(
  given: MaybePromise<T>,
  next: (value: T) => MaybePromise<R>,
): MaybePromise<R> {
  return given instanceof Promise ? given.then(next) : next(given)
}

/** Does something, and goes on with what it gave or with what it threw. */
export function attempt<T, R>(
  work: () => MaybePromise<T>,
  next: (value: T) => MaybePromise<R>,
  fail: (thrown: unknown) => MaybePromise<R>,
): MaybePromise<R> {
  let given: MaybePromise<T>
  try {
    given = work()
  } catch (thrown) {
    return fail(thrown)
  }
  return given instanceof Promise ? given.then(next, fail) : next(given)
}
