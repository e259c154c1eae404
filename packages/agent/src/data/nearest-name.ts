/** The known name that was most likely meant, if any is near enough. */
export function nearestName(
  name: string,
  known: readonly string[],
): string | undefined {
  let nearest: string | undefined
  let least = Math.max(2, Math.floor(name.length / 3)) + 1
  for (const candidate of known) {
    const edits = editsBetween(name, candidate)
    if (edits >= least) continue
    nearest = candidate
    least = edits
  }
  return nearest
}

/** Levenshtein's distance: letters to add, drop or change. */
function editsBetween(one: string, other: string): number {
  let above = Array.from({ length: other.length + 1 }, (_, column) => column)
  for (let row = 1; row <= one.length; row++) {
    const line = [row]
    for (let column = 1; column <= other.length; column++) {
      const diagonal = at(above, column - 1)
      const isSame = other[column - 1] === one[row - 1]
      const change = isSame ? diagonal : diagonal + 1
      line.push(
        Math.min(change, at(above, column) + 1, at(line, column - 1) + 1),
      )
    }
    above = line
  }
  return at(above, other.length)
}

function at(line: readonly number[], column: number): number {
  return line[column] ?? Number.POSITIVE_INFINITY
}
