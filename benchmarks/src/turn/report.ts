import { layOutTable } from '../table.ts'
import { addedPerHook, type Cell, rowsOf } from './cell.ts'

const heading = [
  'framework',
  'hooks',
  'µs per turn',
  'p10–p90',
  'µs per hook',
  'KB per turn',
  '× bare loop',
  '× pi',
]

/** The cells of one scenario as a table; the first has no hooks. */
export function tableOf(cells: readonly Cell[]): string {
  const [without] = cells
  if (without === undefined) return ''
  const rows = cells.flatMap((cell) => [
    ...rowsOf(cell).map((row) => {
      const added = addedPerHook(row.name, cell, without)
      return [
        row.name,
        `${cell.hooks}`,
        formatUs(row.medianNs),
        `${formatUs(row.p10Ns)}–${formatUs(row.p90Ns)}`,
        added === undefined ? '' : (added / 1e3).toFixed(2),
        (row.allocatedBytes / 1024).toFixed(1),
        formatRatio(row.vsBare),
        formatRatio(row.vsPi),
      ]
    }),
    [],
  ])
  return layOutTable(heading, rows.slice(0, -1))
}

function formatUs(ns: number): string {
  const us = ns / 1e3
  if (us < 100) return us.toFixed(1)
  return Math.round(us).toLocaleString('en').replaceAll(',', ' ')
}

function formatRatio(ratio: number | undefined): string {
  if (ratio === undefined) return ''
  return ratio < 100 ? ratio.toFixed(2) : ratio.toFixed(0)
}
