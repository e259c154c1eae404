import { readdirSync } from 'node:fs'

/** @typedef {import('../import-table.mjs').Area} Area */

const agent = 'packages/agent/src'

const shared = `${agent}/hooks/shared`

/** The hooks that ship, as far as each has a folder. */
function shippedFolders() {
  return readdirSync(
    new URL('../../../packages/agent/src/hooks', import.meta.url),
    {
      withFileTypes: true,
    },
  ).flatMap((entry) =>
    entry.isDirectory() && !['shared', 'fixtures'].includes(entry.name)
      ? [`/${entry.name}`]
      : [],
  )
}

/** @param {string[]} names */
const inAgent = (...names) => names.map((name) => `${agent}/${name}`)

/** @type {Area[]} */
export const agentAreas = [
  { folder: `${agent}/data`, areas: [], packages: ['hookline'] },
  { folder: `${agent}/scan`, areas: [], packages: ['hookline', 'node:'] },
  { folder: `${agent}/paths`, areas: [], packages: ['hookline', 'node:'] },
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
    packages: ['hookline', 'node:', 'ajv', 're2js'],
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
    areas: inAgent('data', 'ports', 'seal', 'policy', 'scan'),
    packages: ['hookline', 'node:', 'pg'],
  },
  {
    folder: `${agent}/jobs`,
    areas: inAgent('data', 'ports', 'seal', 'store'),
    packages: ['hookline', 'node:'],
  },
  {
    folder: `${agent}/handlers`,
    areas: inAgent('data', 'ports', 'seal', 'tools'),
    packages: ['hookline', 'node:'],
  },
  {
    folder: `${agent}/dialects`,
    areas: inAgent('data', 'ports', 'seal', 'handlers'),
    packages: ['hookline', 'node:', 're2js', 'jsonc-parser', 'smol-toml'],
  },
  {
    folder: `${agent}/trust`,
    areas: inAgent('data', 'ports', 'seal', 'handlers'),
    packages: ['hookline', 'node:'],
  },
  {
    folder: `${agent}/config`,
    areas: inAgent('data', 'ports', 'seal', 'handlers', 'dialects', 'trust'),
    packages: [
      'hookline',
      'node:',
      're2js',
      'yaml',
      'smol-toml',
      'jsonc-parser',
      'chokidar',
    ],
  },
  {
    folder: `${agent}/hook-set`,
    areas: inAgent(
      'data',
      'ports',
      'seal',
      'runtime',
      'handlers',
      'dialects',
      'trust',
      'config',
    ),
    packages: ['hookline', 'node:'],
  },
  // Public API only, and never each other.
  ...['ask-user', 'delegate', 'mcp', 'memory', 'os', 'skills'].map((name) => ({
    folder: `${agent}/plugins/${name}`,
    areas: [agent, ...inAgent('paths')],
    packages: [
      'hookline',
      'node:',
      'yaml',
      're2js',
      '@modelcontextprotocol/client',
    ],
  })),
  // What hooks that ship share.
  { folder: `${shared}/shell`, areas: [], packages: [] },
  { folder: `${shared}/circuits`, areas: [], packages: ['hookline'] },
  { folder: `${shared}/asking`, areas: [], packages: ['hookline'] },
  { folder: `${shared}/spending`, areas: [agent], packages: ['hookline'] },
  // Guesses at tokens as the loop does.
  { folder: `${shared}/turns`, areas: inAgent('data'), packages: ['hookline'] },
  {
    folder: `${shared}/policies`,
    areas: [agent],
    packages: ['hookline', 'node:'],
  },
  {
    folder: `${shared}/rules`,
    areas: [agent, ...inAgent('scan', 'paths'), `${shared}/shell`],
    packages: ['hookline', 'node:', 're2js'],
  },
  // Public API only, and never each other.
  ...['', ...shippedFolders()].map((name) => ({
    folder: `${agent}/hooks${name}`,
    areas: [
      agent,
      ...inAgent('scan', 'paths'),
      ...[
        'shell',
        'circuits',
        'asking',
        'spending',
        'turns',
        'rules',
        'policies',
      ].map((part) => `${shared}/${part}`),
    ],
    packages: [
      'hookline',
      'node:',
      're2js',
      '@opentelemetry/api',
      '@cedar-policy/cedar-wasm',
    ],
  })),
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
      'scan',
      'ports',
      'seal',
      'model',
      'policy',
      'tools',
      'events',
      'prompt',
      'store',
      'jobs',
      'loop',
      'runtime',
      'handlers',
      'dialects',
      'trust',
      'config',
      'hook-set',
      'hooks',
      ...shippedFolders().map((name) => `hooks${name}`),
      'plugins/ask-user',
      'plugins/delegate',
      'plugins/mcp',
      'plugins/memory',
      'plugins/os',
      'plugins/skills',
    ),
    packages: ['hookline'],
  },
  {
    folder: 'packages/agent/properties',
    areas: [
      agent,
      ...inAgent(
        'data',
        'ports',
        'testing',
        'seal',
        'tools',
        'hooks/shared/shell',
      ),
    ],
    packages: ['fast-check', 'hookline'],
  },
]
