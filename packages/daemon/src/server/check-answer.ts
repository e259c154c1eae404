import type { PreparedOperation } from './prepared-operation.ts'

/** Throws unless an answer is as its schema says. */
export function checkOne(value: unknown, { output }: PreparedOperation): void {
  output.parse(value)
}

/** The same for each item of a stream. */
export function checkEach(
  items: AsyncIterator<unknown>,
  operation: PreparedOperation,
): AsyncIterator<unknown> {
  return {
    async next() {
      const next = await items.next()
      if (next.done !== true) checkOne(next.value, operation)
      return next
    },
    async return() {
      await items.return?.()
      return { done: true, value: undefined }
    },
  }
}
