import { checkSize } from './check-size.ts'
import { OsError } from './os-error.ts'

interface Replacement {
  readonly old: string
  readonly next: string
  readonly isAll: boolean
}

/** By bytes: what is around it stays as it is, even if it is no UTF-8. */
export function replaceText(
  content: Buffer,
  { old, next, isAll }: Replacement,
): Buffer {
  const wanted = Buffer.from(old, 'utf8')
  const count = countOf(content, wanted)
  if (count === 0) {
    throw new OsError('The text to replace is not in the file.')
  }
  if (count > 1 && !isAll) {
    throw new OsError(
      `The text to replace is there ${count} times; add what is around it, or replace all.`,
    )
  }
  // It may also overlap itself, as "aa" in "aaa".
  if (!isAll && content.indexOf(wanted) !== content.lastIndexOf(wanted)) {
    throw new OsError(
      'The text to replace is there more than once, one over the other; add what is around it.',
    )
  }
  const put = Buffer.from(next, 'utf8')
  const sizeBytes = content.length + count * (put.length - wanted.length)
  checkSize(sizeBytes)
  const edited = Buffer.alloc(sizeBytes)
  let from = 0
  let to = 0
  for (let found = 0; found < count; found++) {
    const at = content.indexOf(wanted, from)
    to += content.copy(edited, to, from, at)
    to += put.copy(edited, to)
    from = at + wanted.length
  }
  content.copy(edited, to, from)
  return edited
}

function countOf(content: Buffer, wanted: Buffer): number {
  let count = 0
  let at = content.indexOf(wanted)
  while (at >= 0) {
    count++
    at = content.indexOf(wanted, at + wanted.length)
  }
  return count
}
