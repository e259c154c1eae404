import type { ServerResponse } from 'node:http'

/** Resolves when there is room, or nobody left; breaks off who reads nothing. */
export function drained(
  response: ServerResponse,
  stalledMs: number,
): Promise<void> {
  if (response.destroyed || !response.writableNeedDrain) {
    return Promise.resolve()
  }
  return new Promise((resolve) => {
    const settle = () => {
      clearTimeout(timer)
      response.off('drain', settle).off('close', settle)
      resolve()
    }
    const timer = setTimeout(() => response.destroy(), stalledMs)
    response.once('drain', settle).once('close', settle)
  })
}

/** What made the items is told; whatever it says to that concerns nobody. */
export function letGo(items: AsyncIterator<unknown>): void {
  items.return?.().then(undefined, () => undefined)
}
