/** @typedef {import('../import-table.mjs').Area} Area */

const daemon = 'packages/daemon/src'

/** @param {string[]} names */
const inDaemon = (...names) => names.map((name) => `${daemon}/${name}`)

/** @type {Area[]} */
export const daemonAreas = [
  {
    folder: `${daemon}/protocol`,
    areas: [],
    packages: ['hookline', 'node:', 'zod'],
  },
  { folder: `${daemon}/log`, areas: [], packages: ['node:'] },
  {
    folder: `${daemon}/server`,
    areas: inDaemon('protocol', 'log'),
    packages: ['@hookline/agent', 'node:', 'zod'],
  },
  {
    folder: `${daemon}/reload`,
    areas: inDaemon('log'),
    packages: ['hookline', '@hookline/agent', 'node:'],
  },
  {
    // What the parts of one service share.
    folder: `${daemon}/service`,
    areas: inDaemon('protocol', 'reload'),
    packages: ['@hookline/agent'],
  },
  ...['sessions', 'operations'].map((name) => ({
    folder: `${daemon}/${name}`,
    areas: inDaemon('protocol', 'service', 'reload', 'log'),
    packages: ['hookline', '@hookline/agent', 'node:'],
  })),
  {
    folder: `${daemon}/telemetry`,
    areas: inDaemon('protocol', 'reload', 'log'),
    packages: [
      'hookline',
      '@hookline/agent',
      'node:',
      '@opentelemetry/api',
      '@opentelemetry/exporter-metrics-otlp-http',
      '@opentelemetry/exporter-trace-otlp-http',
      '@opentelemetry/sdk-metrics',
      '@opentelemetry/sdk-trace-node',
    ],
  },
  {
    folder: `${daemon}/demo`,
    areas: [daemon, ...inDaemon('protocol', 'reload')],
    packages: ['hookline', '@hookline/agent', 'node:'],
  },
  {
    // It speaks the protocol; beside that it starts daemons.
    folder: `${daemon}/cli`,
    areas: [daemon, ...inDaemon('protocol', 'server', 'reload', 'log', 'demo')],
    packages: [
      'hookline',
      '@hookline/agent',
      'node:',
      'commander',
      '@clack/prompts',
    ],
  },
  {
    folder: daemon,
    areas: inDaemon(
      'protocol',
      'server',
      'log',
      'reload',
      'service',
      'sessions',
      'operations',
      'telemetry',
    ),
    packages: ['hookline', '@hookline/agent', 'node:'],
  },
]
