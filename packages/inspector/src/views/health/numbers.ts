const compact = new Intl.NumberFormat('en', {
  notation: 'compact',
  maximumFractionDigits: 1,
})
const whole = new Intl.NumberFormat('en', { maximumFractionDigits: 0 })

export function countText(count: number): string {
  return whole.format(count)
}

/** For axes and many tokens, in few letters. */
export function shortText(count: number): string {
  return count < 10_000 ? whole.format(count) : compact.format(count)
}

/** In the currency of the prices, which the daemon does not know. */
export function costText(cost: number | undefined): string {
  if (cost === undefined) return '–'
  return cost < 1 ? cost.toFixed(4) : cost.toFixed(2)
}

/** Latencies of hooks are often far below a millisecond. */
export function latencyText(ms: number): string {
  if (ms === 0) return '0 ms'
  if (ms < 10) return `${ms.toFixed(ms < 1 ? 2 : 1)} ms`
  if (ms < 1_000) return `${Math.round(ms)} ms`
  return `${(ms / 1_000).toFixed(1)} s`
}
