/**
 * A folder and what its files may import besides each other: files of other
 * areas, and packages ("node:" stands for all modules of Node). The innermost
 * area that holds a file is the one that counts for it.
 * @typedef {object} Area
 * @property {string} folder
 * @property {string[]} areas
 * @property {string[]} packages
 */

const core = 'packages/core/src'

/** @param {string[]} names */
const inCore = (...names) => names.map((name) => `${core}/${name}`)

/** @type {Area[]} */
export const areas = [
  { folder: `${core}/engine`, areas: [], packages: [] },
  { folder: `${core}/judge`, areas: inCore('engine'), packages: [] },
  { folder: `${core}/define`, areas: inCore('engine', 'judge'), packages: [] },
  { folder: `${core}/table`, areas: inCore('engine', 'judge'), packages: [] },
  { folder: `${core}/observe`, areas: inCore('engine'), packages: [] },
  { folder: `${core}/ports`, areas: inCore('engine', 'judge'), packages: [] },
  {
    folder: `${core}/lifecycle`,
    areas: inCore('engine', 'define'),
    packages: [],
  },
  {
    folder: `${core}/testing`,
    areas: [core, ...inCore('engine', 'define', 'table', 'ports', 'lifecycle')],
    packages: [],
  },
  {
    folder: core,
    areas: inCore(
      'engine',
      'judge',
      'define',
      'table',
      'observe',
      'ports',
      'lifecycle',
    ),
    packages: [],
  },
  {
    folder: 'packages/core/properties',
    areas: [core, ...inCore('engine', 'define', 'table', 'testing')],
    packages: ['fast-check'],
  },
  { folder: 'examples/src', areas: [], packages: ['hookline', 'node:'] },
  {
    folder: 'benchmarks/src',
    areas: [],
    packages: ['hookline', 'node:', 'hookable', 'koa-compose', 'tapable'],
  },
]

/** Tests may import any file of their own package, and these packages. */
export const testPackages = [
  'vitest',
  'fast-check',
  'node:',
  'vite',
  'playwright-core',
  '@sparticuz/chromium',
]

/** Packages whose manifest names no dependency at all. */
export const dependencyFree = ['packages/core']
