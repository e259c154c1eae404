/** The part of a turn that is drawn, in milliseconds since its start. */
export interface Range {
  readonly from: number
  readonly to: number
}

const steps = [1, 2, 5]
const smallest = 1

/** Nice round times, about as many as asked for. */
export function ticksIn({ from, to }: Range, count: number): readonly number[] {
  const rough = (to - from) / Math.max(1, count)
  const power = 10 ** Math.floor(Math.log10(Math.max(rough, 0.1)))
  const step =
    steps.map((one) => one * power).find((one) => one >= rough) ?? 10 * power
  const first = Math.ceil(from / step)
  const last = Math.floor(to / step)
  return Array.from({ length: last - first + 1 }, (_, at) =>
    // Tenths of milliseconds add up to something else otherwise.
    Number(((first + at) * step).toPrecision(12)),
  )
}

/** Narrower or wider around a place, but never beyond the whole. */
export function zoom(
  range: Range,
  whole: Range,
  { factor, around }: { readonly factor: number; readonly around: number },
): Range {
  const all = whole.to - whole.from
  const now = range.to - range.from
  const next = Math.min(all, Math.max(smallest, now * factor))
  const share = now === 0 ? 0.5 : (around - range.from) / now
  return within(
    { from: around - share * next, to: around + (1 - share) * next },
    whole,
  )
}

export function pan(range: Range, whole: Range, by: number): Range {
  return within({ from: range.from + by, to: range.to + by }, whole)
}

function within({ from, to }: Range, whole: Range): Range {
  const width = to - from
  const start = Math.max(whole.from, Math.min(from, whole.to - width))
  return { from: start, to: start + width }
}

/** Where something is drawn, in percent; undefined: outside. */
export function barOf(
  { from, to }: Range,
  start: number,
  end: number,
): { readonly left: number; readonly width: number } | undefined {
  const width = to - from
  if (end < from || start > to || width <= 0) return undefined
  const left = Math.max(0, ((start - from) / width) * 100)
  const right = Math.min(100, ((end - from) / width) * 100)
  return { left, width: right - left }
}
