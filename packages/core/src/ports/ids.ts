const endingsPerBlock = 1_296
let endings: readonly string[] | undefined

/**
 * Ids that differ within this process, and most likely beyond it: a random
 * part and a count. Most of a count is made once for a whole block of ids.
 */
export function createIds(): () => string {
  const random = Math.random().toString(36).slice(2, 10)
  const ends = allEndings()
  let block = 0
  let next = 0
  let beginning = `${random}-0`
  return () => {
    if (next === endingsPerBlock) {
      next = 0
      beginning = `${random}-${(++block).toString(36)}`
    }
    return beginning + ends[next++]
  }
}

function allEndings(): readonly string[] {
  endings ??= Array.from({ length: endingsPerBlock }, (_, count) =>
    count.toString(36).padStart(2, '0'),
  )
  return endings
}
