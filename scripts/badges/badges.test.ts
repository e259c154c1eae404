import { readFileSync, writeFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { expect, test } from 'vitest'
import { temporaryTree } from '../checks/temporary-tree.ts'
import { badgeTexts, checkBadges, writeBadges } from './badges.mjs'

const root = resolve(import.meta.dirname, '../..')

const manifest = {
  license: 'MIT',
  engines: { node: '>=22.18' },
  exports: { '.': { types: './a.d.ts', default: './a.js' } },
}
const files = {
  LICENSE: 'MIT License\n',
  'packages/core/src/bundle.test.ts':
    'expect(bytes).toBeLessThanOrEqual(6_000)',
  'packages/core/package.json': JSON.stringify(manifest),
  'packages/agent/package.json': JSON.stringify(manifest),
  'packages/daemon/package.json': JSON.stringify(manifest),
}

test('badges say what the sources prove', () => {
  expect(badgeTexts(temporaryTree(files))).toEqual({
    node: ['Node', '≥ 22.18'],
    licence: ['licence', 'MIT'],
    dependencies: ['dependencies of the core', 'none'],
    engine: ['engine, gzipped', '≤ 6 kB'],
    types: ['types', 'included'],
  })
})

test('what is no longer so is a problem of the badge that says it', () => {
  const tree = temporaryTree(files)
  writeBadges(tree)
  expect(checkBadges(tree)).toEqual([])
  const changed = {
    ...manifest,
    exports: { '.': { default: './a.js' } },
    dependencies: { other: '1.0.0' },
  }
  writeFileSync(`${tree}/packages/core/package.json`, JSON.stringify(changed))
  expect(checkBadges(tree).map(({ file }) => file)).toEqual([
    'docs/pictures/badges/dependencies.svg',
    'docs/pictures/badges/types.svg',
  ])
})

test('the README describes each badge as it is drawn', () => {
  const readme = readFileSync(`${root}/README.md`, 'utf8')
  const shown = [
    ...readme.matchAll(/!\[([^\]]*)\]\([^)]*\/badges\/(\w+)\.svg\)/g),
  ]
  const texts = badgeTexts(root)
  expect(shown.map(([, , name]) => name)).toEqual(Object.keys(texts))
  for (const [, words, name = ''] of shown) {
    expect(words).toBe(texts[name]?.join(': '))
  }
})
