import { expect, test } from 'vitest'
import { temporaryTree } from '../checks/temporary-tree.ts'
import { measureHouse } from './measure.mjs'

const commented = [
  '// Why.',
  'const a = 1 // beside',
  '',
  '/**',
  ' * What.',
  ' */',
  'export function run() {',
  '  return a /* inside */',
  '}',
].join('\n')

test('a package is measured by its sources, its tests and what it exports', () => {
  const manifest = {
    dependencies: { yaml: '1' },
    peerDependencies: { pg: '1', zod: '1' },
    exports: {
      '.': { types: './dist/index.d.ts', default: './dist/index.js' },
      './more': { default: './dist/more.js' },
      './schema.json': './dist/schema.json',
    },
  }
  const root = temporaryTree({
    'packages/core/package.json': JSON.stringify(manifest),
    'packages/core/src/index.ts':
      "export type { A } from './a/a.ts'\nexport { type B, run } from './a/a.ts'\n",
    'packages/core/src/more.ts':
      'export const more = 1\nexport interface More {}\n',
    'packages/core/src/a/a.ts': `${commented}\n`,
    'packages/core/src/a/long.ts': 'x\n'.repeat(301),
    'packages/core/src/a/a.test.ts': 'x\n'.repeat(20),
    'packages/core/src/a/fixtures/bench.ts': 'x\n'.repeat(3),
    'packages/core/properties/a.test.ts': 'x\n'.repeat(4),
    'packages/nothing/README.md': '',
  })
  expect(measureHouse(root)).toEqual([
    {
      name: 'core',
      files: 4,
      lines: 2 + 2 + 9 + 301,
      code: 2 + 2 + 4 + 301,
      comments: 4,
      median: 9,
      longest: { file: 'a/long.ts', lines: 301 },
      beyond: 1,
      testLines: 27,
      dependencies: ['yaml'],
      optional: ['pg', 'zod'],
      values: 2,
      types: 3,
    },
  ])
})
