import type { DiffLine } from './diff-lines.ts'

/** A line with its numbers on both sides, or lines that are folded away. */
export type DiffRow =
  | (DiffLine & {
      readonly key: string
      readonly before: number | undefined
      readonly after: number | undefined
    })
  | {
      readonly type: 'fold'
      readonly key: string
      readonly lines: readonly DiffRow[]
    }

/** So many lines around a change stay in sight. */
const around = 3
/** Fewer are not worth a fold. */
const minFold = 4

/** Numbers the lines, and folds what is the same away from changes. */
export function foldDiff(lines: readonly DiffLine[]): readonly DiffRow[] {
  const rows = numbered(lines)
  const isNear = nearChanges(lines)
  const folded: DiffRow[] = []
  let from = 0
  while (from < rows.length) {
    let to = from
    while (to < rows.length && isNear[to] === isNear[from]) to++
    const part = rows.slice(from, to)
    const isFold = isNear[from] === false && part.length >= minFold
    if (isFold) folded.push({ type: 'fold', key: `fold ${from}`, lines: part })
    else folded.push(...part)
    from = to
  }
  return folded
}

function numbered(lines: readonly DiffLine[]): readonly DiffRow[] {
  let before = 0
  let after = 0
  return lines.map((line, at) => {
    if (line.type !== 'added') before++
    if (line.type !== 'removed') after++
    return {
      ...line,
      key: `line ${at}`,
      before: line.type === 'added' ? undefined : before,
      after: line.type === 'removed' ? undefined : after,
    }
  })
}

function nearChanges(lines: readonly DiffLine[]): readonly boolean[] {
  const isNear = lines.map(() => false)
  for (const [at, { type }] of lines.entries()) {
    if (type === 'same') continue
    const last = Math.min(lines.length - 1, at + around)
    for (let near = Math.max(0, at - around); near <= last; near++) {
      isNear[near] = true
    }
  }
  return isNear
}
