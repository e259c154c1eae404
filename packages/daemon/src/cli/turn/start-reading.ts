/** Opens a stream now, and not when its first item is wanted. */
export function startReading<T>(items: AsyncIterable<T>): AsyncIterable<T> {
  const iterator = items[Symbol.asyncIterator]()
  const first = iterator.next()
  // Whoever reads hears of it; until then it is nobody's fault.
  first.catch(() => {})
  let isFirst = true
  return {
    [Symbol.asyncIterator]: () => ({
      next() {
        if (!isFirst) return iterator.next()
        isFirst = false
        return first
      },
      async return() {
        await iterator.return?.()
        return { done: true, value: undefined }
      },
    }),
  }
}
