/** Of each file who is the last to want it; nothing is kept of those that nobody wants. */
const last = new Map<string, Promise<void>>()

/** How many files somebody is at, or waits for. */
export function filesInUse(): number {
  return last.size
}

/**
 * Does something to a file when all who came before are done with it, of
 * whatever session: in this process nobody gets in between.
 */
export async function inTurn<T>(
  file: string,
  work: () => Promise<T>,
  { signal }: { readonly signal?: AbortSignal } = {},
): Promise<T> {
  const before = last.get(file)
  const { promise: left, resolve: leave } = Promise.withResolvers<void>()
  // Whoever leaves early still keeps its place for those who come after.
  const mine = Promise.all([before, left]).then(() => {
    if (last.get(file) === mine) last.delete(file)
  })
  last.set(file, mine)
  try {
    if (signal === undefined) await before
    else await unlessAborted(before, signal)
    return await work()
  } finally {
    leave()
  }
}

async function unlessAborted(
  before: Promise<void> | undefined,
  signal: AbortSignal,
): Promise<void> {
  const { promise: aborted, resolve } = Promise.withResolvers<void>()
  const stop = () => resolve()
  signal.addEventListener('abort', stop, { once: true })
  try {
    if (!signal.aborted) await Promise.race([before, aborted])
    signal.throwIfAborted()
  } finally {
    signal.removeEventListener('abort', stop)
  }
}
