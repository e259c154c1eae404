import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import * as hookline from './index.ts'
import { points } from './lifecycle/index.ts'
import * as testing from './testing/index.ts'

function read(path: string): string {
  return readFileSync(new URL(path, import.meta.url), 'utf8')
}

/** The code spans that begin the rows of a document's tables. */
function firstCells(document: string): string[] {
  const rows = document.matchAll(/^\| (`[^|]*`) \|/gm)
  return [...rows].flatMap(([, cell]) =>
    (cell ?? '').split(' / ').map((code) => code.replaceAll('`', '')),
  )
}

test('every error code is explained, and every explained code exists', () => {
  const unions = read('engine/error.ts').matchAll(/^ {2}\| '([\w-]+)'$/gm)
  const codes = [...unions].map(([, code]) => String(code))
  expect(codes.length).toBeGreaterThan(20)
  const [ours = ''] = read('../../../docs/errors.md').split(
    '## Errors of the agent runtime',
  )
  const explained = firstCells(ours)
  expect(explained.sort()).toEqual(codes.sort())
})

test('the map in the architecture names the points that there are', () => {
  const named = firstCells(read('../../../ARCHITECTURE.md'))
  const areas = new Set(['engine', 'lifecycle', 'testing'])
  const map = named.filter((name) => !areas.has(name) && !name.includes(','))
  expect(map.sort()).toEqual(Object.keys(points).sort())
})

test('the package exports these values and no others', () => {
  expect(Object.keys(hookline).sort()).toMatchInlineSnapshot(`
    [
      "HookError",
      "ask",
      "compileCondition",
      "compileTable",
      "countCodePoints",
      "createEngine",
      "createMemoryRecords",
      "createMemoryState",
      "deadline",
      "defineCell",
      "defineHook",
      "defineKind",
      "definePoint",
      "emptyTable",
      "endTurn",
      "freezeDeep",
      "keepGoing",
      "noopEngine",
      "plainJudge",
      "proceed",
      "reject",
      "replace",
      "respond",
      "systemClock",
      "transform",
      "truncate",
      "type",
    ]
  `)
  expect(Object.keys(testing).sort()).toMatchInlineSnapshot(`
    [
      "createFakeClock",
      "scriptedHook",
      "toolCall",
      "tryHook",
    ]
  `)
})
