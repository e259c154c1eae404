/** @typedef {import('../import-table.mjs').Area} Area */

const core = 'packages/core/src'

/** @param {string[]} names */
const inCore = (...names) => names.map((name) => `${core}/${name}`)

/** @type {Area[]} */
export const coreAreas = [
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
    folder: 'packages/core/fixtures',
    areas: [],
    packages: ['fast-check'],
  },
  {
    folder: 'packages/core/properties',
    areas: [
      core,
      ...inCore('engine', 'define', 'table', 'testing'),
      'packages/core/fixtures',
    ],
    packages: ['fast-check'],
  },
]
