import { existsSync, readFileSync } from 'node:fs'
import { isTest, listFiles } from './project-files.mjs'
import { testTitles } from './test-titles.mjs'

/** @typedef {import('./report.mjs').Problem} Problem */
/** @typedef {{ id: string, layers: string[], line: number }} Row */
/** @typedef {{ file: string, line: number, ids: string[], isSkipped: boolean }} Carrier */

const CATALOGUE = 'docs/faults.md'
const ID = /\b[FTI]\d{1,4}\b/g

/**
 * Holds the catalogue of faults and the names of the tests to each other: every
 * fault of a finished layer is carried by a test of that layer's package, and
 * every id in a test name is in the catalogue.
 * @param {string} root
 * @param {readonly string[]} finishedLayers
 * @returns {{ problems: Problem[], summary: string }}
 */
export function checkFaults(root, finishedLayers) {
  if (!existsSync(`${root}/${CATALOGUE}`)) {
    const message = 'The catalogue of faults is missing.'
    return { problems: [{ file: CATALOGUE, line: 1, message }], summary: '' }
  }
  const catalogue = readFileSync(`${root}/${CATALOGUE}`, 'utf8')
  const { rows, problems } = readRows(catalogue)
  const held = rows.filter(({ layers }) => {
    return layers.some((layer) => finishedLayers.includes(layer))
  })
  const carriers = readCarriers(root)
  return {
    problems: [
      ...problems,
      ...held.flatMap((row) => untested(row, finishedLayers, carriers)),
      ...carriers.flatMap((carrier) => unknownIds(carrier, rows)),
    ],
    summary: `${rows.length} rows, ${held.length} rows of finished layers, ${carriers.length} tests carrying ids`,
  }
}

/**
 * The rows of all tables whose first column is an id and whose last is "layer".
 * @param {string} catalogue
 * @returns {{ rows: Row[], problems: Problem[] }}
 */
function readRows(catalogue) {
  /** @type {Row[]} */
  const rows = []
  /** @type {Problem[]} */
  const problems = []
  let lastHeading = ''
  let isInTable = false
  for (const [index, text] of catalogue.split('\n').entries()) {
    const cells = cellsOf(text)
    if (!isInTable) lastHeading = cells.at(-1)?.toLowerCase() ?? ''
    isInTable = cells.length > 0
    const id = cells[0]?.replaceAll('`', '') ?? ''
    if (!/^[FTI]\d{1,4}$/.test(id)) continue
    const layers = (cells.at(-1) ?? '').split(/[,\s]+/).filter(Boolean)
    const line = index + 1
    const message =
      (lastHeading !== 'layer' &&
        `The table of ${id} has no last column "layer".`) ||
      (layers.length === 0 && `${id} names no layer.`) ||
      (rows.some((row) => row.id === id) && `${id} is there twice.`)
    if (message) problems.push({ file: CATALOGUE, line, message })
    else rows.push({ id, layers, line })
  }
  return { rows, problems }
}

/**
 * The cells of a table row; none for any other line.
 * @param {string} text
 */
function cellsOf(text) {
  const row = /^\s*\|(.*)\|\s*$/.exec(text)?.[1]
  return row?.split(/(?<!\\)\|/).map((cell) => cell.trim()) ?? []
}

/**
 * @param {string} root
 * @returns {Carrier[]}
 */
function readCarriers(root) {
  return listFiles(root, 'packages')
    .filter(isTest)
    .flatMap((file) => {
      const text = readFileSync(`${root}/${file}`, 'utf8')
      return testTitles(file, text).map((title) => {
        return { ...title, file, ids: title.text.match(ID) ?? [] }
      })
    })
    .filter(({ ids }) => ids.length > 0)
}

/**
 * @param {Row} row
 * @param {readonly string[]} finishedLayers
 * @param {readonly Carrier[]} carriers
 * @returns {Problem[]}
 */
function untested({ id, layers, line }, finishedLayers, carriers) {
  return layers
    .filter((layer) => finishedLayers.includes(layer))
    .filter((layer) => {
      return !carriers.some(({ file, ids, isSkipped }) => {
        const isThere = file.startsWith(`packages/${layer}/`)
        return isThere && !isSkipped && ids.includes(id)
      })
    })
    .map((layer) => {
      const message = `No test of packages/${layer} carries ${id} in its name.`
      return { file: CATALOGUE, line, message }
    })
}

/**
 * @param {Carrier} carrier
 * @param {readonly Row[]} rows
 * @returns {Problem[]}
 */
function unknownIds({ file, line, ids }, rows) {
  return ids
    .filter((id) => !rows.some((row) => row.id === id))
    .map((id) => {
      return { file, line, message: `${id} is not in ${CATALOGUE}.` }
    })
}
