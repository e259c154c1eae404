import { configDefaults, defineConfig } from 'vitest/config'
import { StoreCases } from './packages/agent/src/store/fixtures/store-cases.ts'
import { ClosingLine } from './scripts/closing-line.mjs'

const isLong = process.env['HOOKLINE_LONG'] === '1'

export default defineConfig({
  test: {
    include: [
      'packages/*/{src,properties}/**/*.test.ts',
      'scripts/**/*.test.ts',
    ],
    exclude: [
      ...configDefaults.exclude,
      ...(isLong ? [] : ['**/*.long.test.ts']),
    ],
    globalSetup: ['packages/agent/src/store/fixtures/postgres-setup.ts'],
    testTimeout: isLong ? 600_000 : 10_000,
    reporters: ['default', new StoreCases(), new ClosingLine()],
  },
})
