import { resolve } from 'node:path'
import { configDefaults, defineConfig } from 'vitest/config'
import { StoreCases } from './packages/agent/src/store/fixtures/store-cases.ts'
import { ClosingLine } from './scripts/closing-line.mjs'
import { SlowFirst } from './scripts/slow-first.ts'

const isLong = process.env['HOOKLINE_LONG'] === '1'

/** What the page is made of goes through the tool that builds it. */
const ofPage = [
  'packages/inspector/src/{app,around,data,ui,views}/**/*.test.ts',
]

/** They share one browser, and a process as far as they can. */
const inBrowser = ['packages/inspector/src/e2e/**/*.test.ts']

/**
 * They measure the process that they run in: how much it holds, or how long it
 * is held up; or they hold up its timers while they wait for others. Each has
 * one of its own.
 */
const alone = [
  'packages/agent/src/handlers/{command,http}/**/*.test.ts',
  'packages/agent/src/handlers/module/module-faults.test.ts',
  'packages/agent/src/plugins/mcp/{hostile-server,sharing}.test.ts',
  'packages/agent/src/scale/**/*.test.ts',
  'packages/agent/src/store/loop-delay.test.ts',
  'packages/agent/src/store/postgres/lost-connection.test.ts',
]

/** As Node runs them: nothing is compiled first. */
const real = {
  experimental: { viteModuleRunner: false, nodeLoader: false },
  globalSetup: [
    'scripts/test-tools.mjs',
    'packages/agent/src/store/fixtures/postgres-setup.ts',
  ],
}

export default defineConfig({
  test: {
    exclude: [
      ...configDefaults.exclude,
      ...(isLong ? [] : ['**/*.long.test.ts']),
    ],
    // Most of them wait for others: processes, servers, files.
    maxWorkers: 3,
    sequence: { sequencer: SlowFirst },
    // What tests start compiles the same sources again and again.
    env: { NODE_COMPILE_CACHE: resolve('.cache/compiled') },
    // Only what hangs gets there: a busy machine is slow, not wrong.
    testTimeout: isLong ? 600_000 : 60_000,
    hookTimeout: 60_000,
    expect: { poll: { timeout: 30_000 } },
    reporters: ['default', new StoreCases(), new ClosingLine()],
    projects: [
      {
        extends: true,
        test: { name: 'page', include: ofPage, isolate: false },
      },
      {
        extends: true,
        test: {
          name: 'browser',
          include: inBrowser,
          isolate: false,
          // What is built is loaded as it is.
          server: { deps: { external: [/\/packages\/\w+\/dist\//] } },
          globalSetup: ['packages/inspector/src/fixtures/chromium-setup.ts'],
        },
      },
      { extends: true, test: { ...real, name: 'alone', include: alone } },
      {
        extends: true,
        test: {
          ...real,
          name: 'real',
          include: [
            'packages/*/{src,fixtures,properties}/**/*.test.ts',
            'scripts/**/*.test.ts',
            'docs/site/*.test.ts',
          ],
          exclude: [...ofPage, ...inBrowser, ...alone],
          // They leave nothing behind, so one process has many of them.
          isolate: false,
        },
      },
    ],
  },
})
