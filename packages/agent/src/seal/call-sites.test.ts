import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'

const root = join(import.meta.dirname, '..')

/** Every place in the sources that a pattern is found in, as file and count. */
function placesOf(pattern: RegExp): Record<string, number> {
  const places: Record<string, number> = {}
  for (const file of readdirSync(root, { recursive: true, encoding: 'utf8' })) {
    const isSource = file.endsWith('.ts') && !/\.test(-d)?\.ts$/.test(file)
    if (!isSource || file.includes('fixtures/')) continue
    // There, a dispatch is one of a point, by its id.
    if (/^(store|jobs)\//.test(file)) continue
    const source = withoutComments(readFileSync(join(root, file), 'utf8'))
    const count = source.match(pattern)?.length ?? 0
    if (count > 0) places[file.replaceAll('\\', '/')] = count
  }
  return places
}

function withoutComments(source: string): string {
  return source.replaceAll(/\/\*[\s\S]*?\*\/|(?<!:)\/\/.*$/gm, '')
}

test('T27 one place in the sources runs a tool', () => {
  const calls = placesOf(
    /(?:\.dispatch\s*\??\.?\(|\.dispatch\.(?:call|apply))/g,
  )
  expect(Object.values(calls)).toEqual([1])
  const [place] = Object.keys(calls)
  expect(['loop/execute-call.ts', 'loop/running-call.ts']).toContain(place)
})

test('T27 whoever takes the dispatch of a tool apart from it would be seen here', () => {
  const taken = placesOf(/\{[^{}]*\bdispatch\b[^{}:]*\}\s*(?:=|:\s*BoundTool)/g)
  expect(taken).toEqual({})
})

test('T27 one place in the sources calls a model', () => {
  const calls = placesOf(/\.generate\s*\(/g)
  expect(calls).toEqual({ 'loop/model-port.ts': 1 })
})

test('T27 receipts are minted behind the gates of tools and of models, and nowhere else', () => {
  const mints = placesOf(/\.mint\s*\(/g)
  expect(mints).toEqual({
    'loop/model-send.ts': 1,
    'loop/run-call.ts': 1,
  })
})

test('T27 receipts are demanded where tools and models are called', () => {
  const demands = placesOf(/\.redeem\s*\(/g)
  expect(demands).toEqual({
    'loop/execute-call.ts': 1,
    'loop/model-port.ts': 1,
  })
})

test('T27 the executor has one caller, which mints the receipt', () => {
  expect(placesOf(/(?<!function )\bexecuteCall\s*\(/g)).toEqual({
    'loop/run-call.ts': 1,
  })
})

test('T27 the model port has one caller, which mints the receipt', () => {
  expect(placesOf(/from '[^']*\/model-port\.ts'/g)).toEqual({
    'loop/model-send.ts': 1,
  })
})

test('T27 a runtime makes one set of receipts', () => {
  expect(placesOf(/(?<!function )\bcreateReceipts\s*\(/g)).toEqual({
    'runtime/compose-parts.ts': 1,
  })
})
