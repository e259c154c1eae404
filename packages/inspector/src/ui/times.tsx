import { useEffect, useState } from 'react'

const exact = new Intl.DateTimeFormat(undefined, {
  dateStyle: 'medium',
  timeStyle: 'medium',
})

/** So long ago, in as few letters as will do. */
export function ageText(at: number, now: number): string {
  const seconds = Math.max(0, Math.round((now - at) / 1_000))
  if (seconds < 45) return 'now'
  const minutes = Math.round(seconds / 60)
  if (minutes < 60) return `${minutes} min`
  const hours = Math.round(minutes / 60)
  if (hours < 24) return `${hours} h`
  return `${Math.round(hours / 24)} d`
}

/** The largest first: its name and length in seconds, and those of its parts. */
const spans = [
  ['d', 86_400, 'h', 3_600],
  ['h', 3_600, 'min', 60],
  ['min', 60, 's', 1],
] as const

/** How long something took. */
export function durationText(ms: number): string {
  if (ms < 1_000) return `${Math.round(ms)} ms`
  if (ms < 60_000) return `${Number((ms / 1_000).toFixed(1))} s`
  const seconds = Math.round(ms / 1_000)
  for (const [big, length, small, part] of spans) {
    if (seconds < length) continue
    const rest = Math.floor((seconds % length) / part)
    const whole = `${Math.floor(seconds / length)} ${big}`
    return rest === 0 ? whole : `${whole} ${rest} ${small}`
  }
  return `${seconds} s`
}

/** The same where parts of a millisecond, or of a second, are worth knowing. */
export function preciseDuration(ms: number): string {
  const isWhole = Number.isInteger(ms)
  if (ms < 10 && !isWhole) return `${ms.toFixed(ms < 1 ? 2 : 1)} ms`
  if (ms < 1_000 || ms >= 60_000) return durationText(ms)
  return `${Number((ms / 1_000).toFixed(2))} s`
}

/** The time, as often as something that shows it has to change. */
export function useNow(everyMs: number): number {
  const [now, setNow] = useState(Date.now)
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), everyMs)
    return () => clearInterval(timer)
  }, [everyMs])
  return now
}

/** When it was: how long ago, and exactly for whoever points at it. */
export function Age({ at }: { readonly at: number }) {
  const now = useNow(30_000)
  return (
    <time dateTime={new Date(at).toISOString()} title={exact.format(at)}>
      {ageText(at, now)}
    </time>
  )
}
