/** Lays out rows under their heading, numbers to the right; the first left. */
export function layOutTable(
  heading: readonly string[],
  rows: readonly (readonly string[])[],
): string {
  const widths = heading.map((title, column) =>
    Math.max(title.length, ...rows.map((row) => row[column]?.length ?? 0)),
  )
  const line = (row: readonly string[]) =>
    row
      .map((cell, column) => {
        const width = widths[column] ?? 0
        return column === 0 ? cell.padEnd(width) : cell.padStart(width)
      })
      .join('  ')
      .trimEnd()
  const rule = widths.map((width) => '-'.repeat(width))
  return [heading, rule, ...rows].map(line).join('\n')
}
