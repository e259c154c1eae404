// Prints what the packages come to: their size, their files, how much of them
// is comments and tests, what they need and what they export.
import { measureHouse } from './house/measure.mjs'

const rows = measureHouse(process.cwd()).map((one) => ({
  package: one.name,
  files: one.files,
  lines: one.lines,
  code: one.code,
  median: one.median,
  longest: `${one.longest.file} ${one.longest.lines}`,
  'over 300': one.beyond,
  'comments %': Math.round((one.comments / one.lines) * 100),
  'test:src': (one.testLines / one.lines).toFixed(2),
  dependencies: one.dependencies.length,
  optional: one.optional.length,
  values: one.values,
  types: one.types,
}))
const heads = Object.keys(rows[0] ?? {})
const lines = [
  heads,
  heads.map(() => '---'),
  ...rows.map((row) => Object.values(row)),
]
for (const cells of lines) console.log(`| ${cells.join(' | ')} |`)
