/** How long the headers of a response ask to wait, if they do. */
export function retryAfterMs(
  headers: Readonly<Record<string, unknown>>,
): number | undefined {
  return (
    waitOf(Number.parseFloat(String(headers['retry-after-ms']))) ??
    secondsOrDate(headers['retry-after'])
  )
}

function secondsOrDate(value: unknown): number | undefined {
  if (typeof value !== 'string') return undefined
  const seconds = Number(value)
  if (!Number.isNaN(seconds)) return waitOf(seconds * 1000)
  return waitOf(Math.max(0, Date.parse(value) - Date.now()))
}

function waitOf(ms: number): number | undefined {
  return Number.isFinite(ms) && ms >= 0 ? Math.round(ms) : undefined
}
