/** How long calls took, in milliseconds. */
export interface Timing {
  readonly p50: number
  readonly p99: number
}

export type Work = () => Promise<unknown>

/** Times calls, so many at the same time, until there are enough of them. */
export async function timeCalls(
  work: Work,
  {
    count,
    concurrency,
  }: { readonly count: number; readonly concurrency: number },
): Promise<readonly number[]> {
  const times: number[] = []
  let left = count
  const one = async () => {
    while (left-- > 0) {
      const begun = performance.now()
      await work()
      times.push(performance.now() - begun)
    }
  }
  await Promise.all(Array.from({ length: concurrency }, one))
  return times
}

export function timingOf(times: readonly number[]): Timing {
  const sorted = times.toSorted((a, b) => a - b)
  const at = (share: number) =>
    sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))] ?? 0
  return { p50: at(0.5), p99: at(0.99) }
}
