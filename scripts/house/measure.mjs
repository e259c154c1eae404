import { readFileSync } from 'node:fs'
import { syntaxNodes } from '../checks/syntax.mjs'
import { isSource, packagesOf } from './sources.mjs'

/**
 * What a package comes to. Lines are those of its sources, unless they are
 * said to be of tests; a comment is a line with nothing else on it.
 * @typedef {object} Measure
 * @property {string} name
 * @property {number} files
 * @property {number} lines
 * @property {number} code lines that are neither blank nor a comment
 * @property {number} comments
 * @property {number} median lines of the file in the middle
 * @property {{ file: string, lines: number }} longest
 * @property {number} beyond files of more than 300 lines
 * @property {number} testLines
 * @property {string[]} dependencies what is installed with it
 * @property {string[]} optional what is installed by whoever wants it
 * @property {number} values exported ones, of all entries together
 * @property {number} types
 */

const LONG = 300

/**
 * @param {string} root
 * @returns {Measure[]}
 */
export function measureHouse(root) {
  return packagesOf(root).map((one) => measurePackage(root, one))
}

/**
 * @param {string} root
 * @param {import('./sources.mjs').Package} one
 * @returns {Measure}
 */
function measurePackage(root, { name, files }) {
  const all = files.map((file) => {
    return { file, ...linesIn(readFileSync(`${root}/${file}`, 'utf8')) }
  })
  const sources = all
    .filter(({ file }) => isSource(file))
    .sort((a, b) => a.lines - b.lines)
  const tests = all.filter(({ file }) => !isSource(file))
  const { file = '', lines = 0 } = sources.at(-1) ?? {}
  const manifest = readManifest(root, name)
  return {
    name,
    files: sources.length,
    lines: sum(sources, 'lines'),
    code: sum(sources, 'code'),
    comments: sum(sources, 'comments'),
    median: sources[Math.floor(sources.length / 2)]?.lines ?? 0,
    longest: { file: file.replace(`packages/${name}/src/`, ''), lines },
    beyond: sources.filter((one) => one.lines > LONG).length,
    testLines: sum(tests, 'lines'),
    dependencies: Object.keys(manifest.dependencies ?? {}),
    optional: Object.keys(manifest.peerDependencies ?? {}),
    ...exportsOf(root, name, manifest),
  }
}

/** @param {string} text */
function linesIn(text) {
  const all = text.trimEnd().split('\n')
  let isInside = false
  let comments = 0
  let blank = 0
  for (const line of all.map((one) => one.trim())) {
    const begins = line.startsWith('/*')
    if (line === '') blank += 1
    else if (isInside || begins || line.startsWith('//')) comments += 1
    if (isInside || begins) isInside = !line.includes('*/')
  }
  const lines = all.length
  return { lines, comments, code: lines - comments - blank }
}

/**
 * @typedef {{ dependencies?: object, peerDependencies?: object, exports?: Record<string, string | { default?: string }> }} Manifest
 * @param {string} root
 * @param {string} name
 * @returns {Manifest}
 */
function readManifest(root, name) {
  return JSON.parse(
    readFileSync(`${root}/packages/${name}/package.json`, 'utf8'),
  )
}

/**
 * What the entries of a package export, each name once for each entry.
 * @param {string} root
 * @param {string} name
 * @param {Manifest} manifest
 */
function exportsOf(root, name, { exports = {} }) {
  const kinds = Object.values(exports)
    .flatMap((entry) =>
      typeof entry === 'string' ? [] : (entry.default ?? []),
    )
    .map((path) => path.replace('./dist/', 'src/').replace(/\.js$/, '.ts'))
    .flatMap((file) => {
      const path = `packages/${name}/${file}`
      return exportKinds(path, readFileSync(`${root}/${path}`, 'utf8'))
    })
  const types = kinds.filter((kind) => kind === 'type').length
  return { values: kinds.length - types, types }
}

/**
 * @param {string} path
 * @param {string} text
 * @returns {unknown[]}
 */
function exportKinds(path, text) {
  return syntaxNodes(path, text).flatMap((node) => {
    if (node.type !== 'ExportNamedDeclaration') return []
    const { exportKind, specifiers, declaration } = node
    const names = Array.isArray(specifiers) ? specifiers : []
    const all = names.map((one) =>
      exportKind === 'type' ? 'type' : one.exportKind,
    )
    return declaration === null ? all : [...all, exportKind]
  })
}

/**
 * @template {string} Key
 * @param {readonly Record<Key, number>[]} all
 * @param {Key} key
 */
function sum(all, key) {
  return all.reduce((total, one) => total + one[key], 0)
}
