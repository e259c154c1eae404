const second = 1_000
const minute = 60 * second
const hour = 60 * minute
const day = 24 * hour

/** A moment as programs read it. */
export function exactTime(at: number): string {
  return new Date(at).toISOString()
}

/** Milliseconds as programs read them: to the microsecond. */
export function exactMs(ms: number): number {
  return Math.round(ms * 1_000) / 1_000
}

/** A moment as people read it, where they are. */
export function localTime(at: number): string {
  const date = new Date(at)
  const two = (value: number) => String(value).padStart(2, '0')
  const days = [date.getFullYear(), date.getMonth() + 1, date.getDate()]
  const times = [date.getHours(), date.getMinutes(), date.getSeconds()]
  return `${days.map(two).join('-')} ${times.map(two).join(':')}`
}

/** How long ago something was, or how soon it will be. */
export function age(at: number, now = Date.now()): string {
  const span = duration(Math.abs(now - at))
  return at > now ? `in ${span}` : `${span} ago`
}

export function duration(ms: number): string {
  if (ms < second) return `${Math.round(ms)} ms`
  if (ms < minute) return `${(ms / second).toFixed(ms < 10 * second ? 1 : 0)} s`
  if (ms < hour) return `${Math.round(ms / minute)} min`
  if (ms < 2 * day) return `${Math.round(ms / hour)} h`
  return `${Math.round(ms / day)} d`
}

const units: Readonly<Record<string, number>> = {
  ms: 1,
  s: second,
  m: minute,
  min: minute,
  h: hour,
  d: day,
  w: 7 * day,
}

/** A span such as 30s, 10m, 2h or 7d in milliseconds; undefined: it is none. */
export function readDuration(text: string): number | undefined {
  const parts = /^(\d+(?:\.\d+)?)\s*([a-z]+)$/.exec(text.trim().toLowerCase())
  const unit = units[parts?.[2] ?? '']
  return unit === undefined ? undefined : Number(parts?.[1]) * unit
}
