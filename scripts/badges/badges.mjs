import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { drawBadge } from './draw-badge.mjs'

const folder = 'docs/pictures/badges'
const packages = ['core', 'agent', 'daemon']

/**
 * What a package says of itself, as far as badges tell it.
 * @typedef {object} Manifest
 * @property {string} license
 * @property {{ node: string }} engines
 * @property {Record<string, string>} [dependencies]
 * @property {Record<string, string | { types?: string, default?: string }>} exports
 */

/**
 * What the badges of the README say, each by what proves it. What is not so is
 * said as it is, so that the picture that was committed differs from it.
 * @param {string} root
 * @returns {Record<string, [string, string]>}
 */
export function badgeTexts(root) {
  const manifests = packages.map((name) => {
    return /** @type {Manifest} */ (
      JSON.parse(read(root, `packages/${name}/package.json`))
    )
  })
  const [core] = manifests
  const nodes = manifests.map(({ engines }) => engines.node)
  const licences = manifests.map(({ license }) => license)
  const { length } = Object.keys(core?.dependencies ?? {})
  const entries = manifests.flatMap(({ exports }) => Object.values(exports))
  const isTyped = entries.every(
    (entry) => typeof entry === 'string' || entry.types !== undefined,
  )
  return {
    node: ['Node', same(nodes).replace('>=', '≥ ')],
    licence: ['licence', same([...licences, licenceOf(root)])],
    dependencies: ['dependencies of the core', String(length || 'none')],
    engine: ['engine, gzipped', `≤ ${engineLimit(root) / 1_000} kB`],
    types: ['types', isTyped ? 'included' : 'not everywhere'],
  }
}

/**
 * @param {string} root
 * @param {string} path
 */
function read(root, path) {
  return readFileSync(`${root}/${path}`, 'utf8')
}

/** @param {string[]} values */
function same(values) {
  return [...new Set(values)].join(', ')
}

/** @param {string} root */
function licenceOf(root) {
  const [, name = 'unknown'] =
    /^(\w+) License/.exec(read(root, 'LICENSE')) ?? []
  return name
}

/**
 * The limit that a test holds the engine to.
 * @param {string} root
 */
function engineLimit(root) {
  const test = read(root, 'packages/core/src/bundle.test.ts')
  const limit = /expect\(bytes\)\.toBeLessThanOrEqual\(([\d_]+)\)/.exec(test)
  return Number(limit?.[1]?.replaceAll('_', ''))
}

/** @param {string} root */
function makeBadges(root) {
  // A tree without the packages has nothing to make them from.
  if (!existsSync(`${root}/packages/core/src/bundle.test.ts`)) return []
  return Object.entries(badgeTexts(root)).map(([name, [label, value]]) => ({
    file: `${folder}/${name}.svg`,
    picture: drawBadge(label, value),
  }))
}

/**
 * Badges that say something else than the sources.
 * @param {string} root
 * @returns {import('../checks/report.mjs').Problem[]}
 */
export function checkBadges(root) {
  const message = 'The sources say something else; run npm run docs:sync.'
  return staleBadges(root).map(({ file }) => ({ file, line: 1, message }))
}

/** @param {string} root */
function staleBadges(root) {
  return makeBadges(root).filter(({ file, picture }) => {
    const path = `${root}/${file}`
    return !existsSync(path) || readFileSync(path, 'utf8') !== picture
  })
}

/**
 * Draws them again, and names those that changed.
 * @param {string} root
 */
export function writeBadges(root) {
  const stale = staleBadges(root)
  if (stale.length > 0) mkdirSync(`${root}/${folder}`, { recursive: true })
  for (const { file, picture } of stale) {
    writeFileSync(`${root}/${file}`, picture)
  }
  return stale.map(({ file }) => file)
}
