// What a subclass makes of `then` does not matter: this is the real one.
// oxlint-disable-next-line typescript/unbound-method -- it is always called on a promise
const promiseThen = Promise.prototype.then

/**
 * If a hook gave a promise, or what pretends to be one, listens to it: exactly
 * one of the two is called, once, and never at once.
 */
export function follow(
  given: unknown,
  onAnswer: (answer: unknown) => void,
  onThrow: (cause: unknown) => void,
): boolean {
  if (typeof given !== 'object' || given === null) return false
  const isPromise = given instanceof Promise
  if (!isPromise && !isThenable(given)) return false
  const promise = isPromise ? given : Promise.resolve(given)
  void promiseThen.call(promise, onAnswer, onThrow)
  return true
}

function isThenable(given: object): boolean {
  return 'then' in given && typeof given.then === 'function'
}
