import { existsSync, readFileSync } from 'node:fs'
import { isTest, listFiles } from './project-files.mjs'
import { testTitles } from './test-titles.mjs'

/** @typedef {import('./report.mjs').Problem} Problem */
/** @typedef {{ id: string, layers: string[], line: number }} Row */
/** @typedef {{ file: string, line: number, ids: string[], isSkipped: boolean }} Carrier */

/**
 * The layers whose faults are shown, each a package or a folder of one: all of
 * them, or those with these ids.
 * @typedef {'all' | readonly string[] | { except: readonly string[] }} Ids
 * @typedef {Readonly<Record<string, Ids>>} Shown
 */

const CATALOGUE = 'docs/faults.md'
const ID = /\b[FTI]\d{1,4}\b/g

/**
 * Holds the catalogue of faults and the names of the tests to each other: every
 * fault that a layer shows is carried by a test of that layer's package, every
 * id in a test name is in the catalogue, and its row names that layer.
 * @param {string} root
 * @param {Shown} shown
 * @returns {{ problems: Problem[], summary: string }}
 */
export function checkFaults(root, shown) {
  if (!existsSync(`${root}/${CATALOGUE}`)) {
    const message = 'The catalogue of faults is missing.'
    return { problems: [{ file: CATALOGUE, line: 1, message }], summary: '' }
  }
  const catalogue = readFileSync(`${root}/${CATALOGUE}`, 'utf8')
  const { rows, problems } = readRows(catalogue)
  const held = rows.filter((row) => shownLayers(row, shown).length > 0)
  const carriers = readCarriers(root)
  return {
    problems: [
      ...problems,
      ...held.flatMap((row) => untested(row, shown, carriers)),
      ...carriers.flatMap((carrier) => strangeIds(carrier, rows, shown)),
      ...strangeListings(rows, shown),
    ],
    summary: `${rows.length} rows, ${held.length} rows that have to be shown, ${carriers.length} tests carrying ids`,
  }
}

/**
 * The layers that have to show a row by now.
 * @param {Row} row
 * @param {Shown} shown
 */
function shownLayers({ id, layers }, shown) {
  return layers.filter((layer) => {
    const ids = shown[layer]
    if (ids === undefined || ids === 'all') return ids === 'all'
    return 'except' in ids ? !ids.except.includes(id) : ids.includes(id)
  })
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
    .filter((file) => isTest(file) && file.endsWith('.ts'))
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
 * @param {Shown} shown
 * @param {readonly Carrier[]} carriers
 * @returns {Problem[]}
 */
function untested(row, shown, carriers) {
  const { id, line } = row
  return shownLayers(row, shown)
    .filter((layer) => {
      return !carriers.some(({ file, ids, isSkipped }) => {
        return layerOf(file) === layer && !isSkipped && ids.includes(id)
      })
    })
    .map((layer) => {
      const message = `No test of ${layer} carries ${id} in its name.`
      return { file: CATALOGUE, line, message }
    })
}

/** Layers that are folders of a package, by those folders. */
const FOLDERS = {
  'packages/agent/src/store/': 'store',
  'packages/agent/src/jobs/': 'store',
  'packages/agent/src/handlers/': 'handlers',
  'packages/agent/src/dialects/': 'handlers',
  'packages/agent/src/trust/': 'handlers',
  'packages/agent/src/config/': 'handlers',
  'packages/agent/src/hook-set/': 'handlers',
}

/** @param {string} file */
function layerOf(file) {
  const folder = Object.entries(FOLDERS).find(([one]) => file.startsWith(one))
  return folder?.[1] ?? file.split('/')[1] ?? ''
}

/**
 * @param {Carrier} carrier
 * @param {readonly Row[]} rows
 * @param {Shown} shown
 * @returns {Problem[]}
 */
function strangeIds({ file, line, ids }, rows, shown) {
  return ids.flatMap((id) => {
    const row = rows.find((one) => one.id === id)
    const what = row
      ? misplaced(row, layerOf(file), shown)
      : `is not in ${CATALOGUE}.`
    return what ? [{ file, line, message: `${id} ${what}` }] : []
  })
}

/**
 * Why a test of a layer should not carry a row: it belongs to others, or it is
 * not listed, so that nobody would miss the test.
 * @param {Row} row
 * @param {string} layer
 * @param {Shown} shown
 */
function misplaced(row, layer, shown) {
  if (!(layer in shown)) return undefined
  if (!row.layers.includes(layer)) {
    return `is carried by a test of ${layer}, but its row does not name that layer.`
  }
  if (shownLayers(row, shown).includes(layer)) return undefined
  return `is carried by a test, but not in the list of what ${layer} shows.`
}

/**
 * Ids in a layer's list that are no rows of that layer.
 * @param {readonly Row[]} rows
 * @param {Shown} shown
 * @returns {Problem[]}
 */
function strangeListings(rows, shown) {
  return Object.entries(shown).flatMap(([layer, ids]) => {
    if (ids === 'all') return []
    return ('except' in ids ? ids.except : ids)
      .filter((id) => {
        return !rows.some((row) => row.id === id && row.layers.includes(layer))
      })
      .map((id) => {
        const message = `${id} is listed for ${layer}, but no row of that layer has it.`
        return { file: CATALOGUE, line: 1, message }
      })
  })
}
