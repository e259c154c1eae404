import { globSync, readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { addresses } from './around/routes/addresses.ts'

const document = readFileSync(
  new URL('../../../docs/inspector.md', import.meta.url),
  'utf8',
)

/** The rows of the table under a heading, each as its cells. */
function rowsUnder(heading: string): string[][] {
  const [, after = ''] = document.split(`## ${heading}\n`)
  const [section = ''] = after.split('\n## ')
  const rows = section.split('\n').filter((line) => line.startsWith('| '))
  return rows.slice(1).map((row) =>
    row
      .split('|')
      .slice(1, -1)
      .map((cell) => cell.trim()),
  )
}

const quoted = (text = '') =>
  [...text.matchAll(/`([^`]+)`/g)].map(([, found = '']) => found)

test('every view is documented with its address and its filters, and no other', () => {
  const written = rowsUnder('Views').map(([, address, filters]) => {
    return [quoted(address)[0], quoted(filters)]
  })
  const there = Object.values(addresses).map(({ pattern, query }) => {
    return [pattern, [...query]]
  })
  expect(new Map(written as [string, string[]][])).toEqual(
    new Map(there as [string, string[]][]),
  )
})

const signs: Readonly<Record<string, string>> = {
  '↑': 'ArrowUp',
  '↓': 'ArrowDown',
  '←': 'ArrowLeft',
  '→': 'ArrowRight',
  Esc: 'Escape',
}

test('every key is documented, and no other', () => {
  const sources = globSync('**/*.{ts,tsx}', { cwd: import.meta.dirname })
    .filter((file) => !file.endsWith('.test.ts'))
    .map((file) => readFileSync(new URL(file, import.meta.url), 'utf8'))
  const there = sources.flatMap((source) => [
    ...[...source.matchAll(/\bkeys: '([^']+)'/g)].map(([, keys]) => keys),
    // Where the navigation leads, after a "g".
    ...[...source.matchAll(/^ {4}key: '(\w)',$/gm)].map(
      ([, key]) => `g ${key}`,
    ),
  ])
  expect(there.length).toBeGreaterThan(20)
  const written = rowsUnder('Keys')
    .flatMap(([keys]) => quoted(keys))
    .filter((keys) => !keys.startsWith('⌘'))
    .map((keys) => keys.replace(/^Ctrl (.)$/, 'mod+$1'))
    .map(
      (keys) =>
        signs[keys] ?? (keys.startsWith('mod') ? keys.toLowerCase() : keys),
    )
  expect(new Set(written)).toEqual(new Set(there))
})
