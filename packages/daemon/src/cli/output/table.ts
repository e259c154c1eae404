import type { Style } from './output.ts'
import { plainLine } from './plain-text.ts'
import { cutToWidth, padToWidth, textWidth } from './text-width.ts'

export interface Column<Row> {
  readonly header: string
  readonly value: (row: Row) => string | number | undefined
  /** What programs get in place of the value. */
  readonly exact?: (row: Row) => string | number | undefined
  readonly align?: 'left' | 'right'
  /** Gives way when there is not enough room; default: it does not. */
  readonly canShrink?: boolean
  /** Programs get it, people only where some row has a value; default false. */
  readonly isOptional?: boolean
  /** People read it elsewhere in the row, so that programs alone get it. */
  readonly isForPrograms?: boolean
  /** People see it once, above the rows that have it in common. */
  readonly isHeading?: boolean
  readonly style?: (row: Row) => Style | undefined
}

export interface TableOptions {
  /** How many columns there are; absent: nobody looks, values are all. */
  readonly width?: number
  readonly style?: (style: Style, text: string) => string
}

const gap = '  '
const minWidth = 8

/** Rows as text, without a line break at the end. */
export function renderTable<Row>(
  rows: readonly Row[],
  all: readonly Column<Row>[],
  { width, style = (_, text) => text }: TableOptions = {},
): string {
  if (width === undefined) {
    return rows.map((row) => exactCells(row, all).join('\t')).join('\n')
  }
  const heading = all.find(({ isHeading = false }) => isHeading)
  const lines = renderRows(rows, shownColumns(rows, all), {
    width: heading === undefined ? width : width - gap.length,
    style,
  })
  if (heading === undefined) return lines.join('\n')
  return underHeadings(rows, lines, (row) =>
    style('bold', cellOf(heading, row)),
  ).join('\n')
}

function cellOf<Row>({ value }: Column<Row>, row: Row): string {
  return plainLine(String(value(row) ?? ''))
}

function shownColumns<Row>(
  rows: readonly Row[],
  all: readonly Column<Row>[],
): readonly Column<Row>[] {
  return all.filter((column) => {
    const { isHeading = false, isForPrograms = false, isOptional } = column
    if (isHeading || isForPrograms) return false
    return !isOptional || rows.some((row) => cellOf(column, row) !== '')
  })
}

/** The first line names the columns; a heading comes where it is another. */
function underHeadings<Row>(
  rows: readonly Row[],
  [names = '', ...lines]: readonly string[],
  headingOf: (row: Row) => string,
): readonly string[] {
  let last: string | undefined
  const all = rows.flatMap((row, index) => {
    const heading = headingOf(row)
    const isSame = heading === last
    last = heading
    const line = `${gap}${lines[index] ?? ''}`
    return isSame ? [line] : [heading, line]
  })
  return [`${gap}${names}`, ...all]
}

function renderRows<Row>(
  rows: readonly Row[],
  columns: readonly Column<Row>[],
  { width, style }: Required<TableOptions>,
): readonly string[] {
  const cells = rows.map((row) => columns.map((column) => cellOf(column, row)))
  const widths = fit(columns, { cells, width })
  const headers = columns.map(({ header }) => header)
  return [headers, ...cells].map((line, index) => {
    const row = rows[index - 1]
    return columns
      .map((column, place) => {
        const text = cutToWidth(line[place] ?? '', widths[place] ?? 0)
        const isLast = place === columns.length - 1 && column.align !== 'right'
        const filled = isLast
          ? text
          : padToWidth(text, widths[place] ?? 0, column.align)
        const wanted = row === undefined ? 'dim' : column.style?.(row)
        return wanted === undefined ? filled : style(wanted, filled)
      })
      .join(gap)
      .trimEnd()
  })
}

/** Names and values below each other; what has no value is left out. */
export function renderFields(
  fields: readonly (readonly [
    string,
    string | number | boolean | null | undefined,
  ])[],
  style: TableOptions['style'] = (_, text) => text,
): string {
  const there = fields.filter(([, value]) => value != null && value !== '')
  const width = Math.max(...there.map(([name]) => textWidth(name)), 0)
  return there
    .map(
      ([name, value]) =>
        `${style('dim', padToWidth(name, width))}${gap}${plainLine(String(value))}`,
    )
    .join('\n')
}

function exactCells<Row>(row: Row, columns: readonly Column<Row>[]) {
  return columns.map(({ value, exact = value }) =>
    plainLine(String(exact(row) ?? '')),
  )
}

function fit<Row>(
  columns: readonly Column<Row>[],
  {
    cells,
    width,
  }: { readonly cells: readonly string[][]; readonly width: number },
): readonly number[] {
  const widths = columns.map(({ header }, place) =>
    Math.max(
      textWidth(header),
      ...cells.map((line) => textWidth(line[place] ?? '')),
    ),
  )
  let excess =
    widths.reduce((sum, one) => sum + one, 0) +
    gap.length * (columns.length - 1) -
    width
  // The widest gives way first, so that short ones stay whole.
  while (excess > 0) {
    const widest = widestOf(columns, widths)
    if (widest === undefined) break
    widths[widest] = (widths[widest] ?? 0) - 1
    excess--
  }
  return widths
}

function widestOf<Row>(
  columns: readonly Column<Row>[],
  widths: readonly number[],
): number | undefined {
  let found: number | undefined
  for (const [place, { canShrink = false }] of columns.entries()) {
    const width = widths[place] ?? 0
    if (!canShrink || width <= minWidth) continue
    if (found === undefined || width > (widths[found] ?? 0)) found = place
  }
  return found
}
