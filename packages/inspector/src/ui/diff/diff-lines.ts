/** A line of one side, or of both. */
export interface DiffLine {
  readonly type: 'same' | 'removed' | 'added'
  readonly text: string
}

/** Beyond so many changes a list of them says less than both sides do. */
const maxEdits = 600

/**
 * The fewest lines to take away and add, by Myers; what both sides begin and
 * end with costs nothing. With too much between them all of it is changed.
 */
export function diffLines(
  before: readonly string[],
  after: readonly string[],
): readonly DiffLine[] {
  const shorter = Math.min(before.length, after.length)
  let head = 0
  while (head < shorter && before[head] === after[head]) head++
  let tail = 0
  while (
    tail < shorter - head &&
    before[before.length - 1 - tail] === after[after.length - 1 - tail]
  ) {
    tail++
  }
  const removed = before.slice(head, before.length - tail)
  const added = after.slice(head, after.length - tail)
  return [
    ...linesOf('same', before.slice(0, head)),
    ...(diffMiddle(removed, added) ?? [
      ...linesOf('removed', removed),
      ...linesOf('added', added),
    ]),
    ...linesOf('same', before.slice(before.length - tail)),
  ]
}

function linesOf(
  type: DiffLine['type'],
  texts: readonly string[],
): readonly DiffLine[] {
  return texts.map((text) => ({ type, text }))
}

/** Undefined: it is too much. */
function diffMiddle(
  before: readonly string[],
  after: readonly string[],
): readonly DiffLine[] | undefined {
  if (before.length === 0) return linesOf('added', after)
  if (after.length === 0) return linesOf('removed', before)
  const trace = findPath(before, after)
  return trace && walkBack(before, after, trace)
}

/** How far each diagonal was reached, edit by edit; the end is in the last. */
function findPath(
  before: readonly string[],
  after: readonly string[],
): readonly ReadonlyMap<number, number>[] | undefined {
  const trace: Map<number, number>[] = []
  let reached = new Map([[1, 0]])
  const most = Math.min(maxEdits, before.length + after.length)
  for (let edits = 0; edits <= most; edits++) {
    const next = new Map<number, number>()
    for (let diagonal = -edits; diagonal <= edits; diagonal += 2) {
      let x = startOn(reached, diagonal, edits)
      while (
        x < before.length &&
        x - diagonal < after.length &&
        before[x] === after[x - diagonal]
      ) {
        x++
      }
      next.set(diagonal, x)
      if (x >= before.length && x - diagonal >= after.length) {
        return [...trace, next]
      }
    }
    trace.push(next)
    reached = next
  }
  return undefined
}

/** Where a diagonal is entered: from above by adding, else by taking away. */
function startOn(
  reached: ReadonlyMap<number, number>,
  diagonal: number,
  edits: number,
): number {
  const above = reached.get(diagonal + 1) ?? -1
  const left = reached.get(diagonal - 1) ?? -1
  const isAdded = diagonal === -edits || (diagonal !== edits && left < above)
  return isAdded ? above : left + 1
}

function walkBack(
  before: readonly string[],
  after: readonly string[],
  trace: readonly ReadonlyMap<number, number>[],
): readonly DiffLine[] {
  const lines: DiffLine[] = []
  let x = before.length
  let y = after.length
  for (let edits = trace.length - 1; edits >= 0; edits--) {
    const reached = trace[edits - 1] ?? new Map([[1, 0]])
    const diagonal = x - y
    const entry = startOn(reached, diagonal, edits)
    while (x > entry) {
      x--
      y--
      lines.push({ type: 'same', text: before[x] ?? '' })
    }
    if (edits === 0) break
    // It came from the diagonal above, or else from the one to the left.
    if (entry === reached.get(diagonal + 1)) {
      y--
      lines.push({ type: 'added', text: after[y] ?? '' })
    } else {
      x--
      lines.push({ type: 'removed', text: before[x] ?? '' })
    }
  }
  return lines.toReversed()
}
