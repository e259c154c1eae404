/** Those of the known words that somebody may have meant. */
export function nearestWords(
  given: string,
  known: readonly string[],
): readonly string[] {
  const most = Math.max(1, Math.floor(given.length / 3))
  const found = known.map((word) => ({ word, far: distance(given, word) }))
  const least = Math.min(...found.map(({ far }) => far))
  if (least > most) return []
  return found.filter(({ far }) => far === least).map(({ word }) => word)
}

/** How many letters are to be added, left out or changed. */
function distance(one: string, other: string): number {
  let row = Array.from({ length: other.length + 1 }, (_, at) => at)
  for (let at = 0; at < one.length; at++) {
    const letter = one[at]
    const next = [at + 1]
    for (let place = 0; place < other.length; place++) {
      const same = (row[place] ?? 0) + (letter === other[place] ? 0 : 1)
      const added = (next[place] ?? 0) + 1
      const removed = (row[place + 1] ?? 0) + 1
      next.push(Math.min(same, added, removed))
    }
    row = next
  }
  return row.at(-1) ?? 0
}
