import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { expect, test } from 'vitest'
import { leastRatio } from '../../../core/fixtures/time-ratio.ts'

// What is needed before a client can ask anything: these files and no others.
const entry = join(import.meta.dirname, '..', 'client.ts')

/** All that a file imports at run time, before anything is asked for. */
function importsOf(file: string, seen = new Set<string>()): Set<string> {
  if (seen.has(file)) return seen
  seen.add(file)
  const text = readFileSync(file, 'utf8')
  const found = text.matchAll(
    /^(?:import|export) (?!type)[^'"]*? from ['"]([^'"]+)['"]/gms,
  )
  for (const [statement, name = ''] of found) {
    const names = /\{([^}]*)\}/.exec(statement)?.[1]?.split(',') ?? []
    const isTypes =
      names.length > 0 && names.every((one) => /^\s*(type\s|$)/.test(one))
    if (isTypes) continue
    if (name.startsWith('.')) importsOf(join(dirname(file), name), seen)
    else seen.add(name)
  }
  return seen
}

test('a client needs no package, and nothing of Node before it asks', () => {
  const packages = [...importsOf(entry)].filter((name) => !name.startsWith('/'))
  expect(packages).toEqual([])
})

test('to load a client takes little more than bare Node', async () => {
  // The time of the processor: that of the clock is everybody's on a busy machine.
  const measure = (url: string) => () => {
    const code = `await import(${JSON.stringify(url)}); const { user, system } = process.cpuUsage(); console.log(user + system)`
    const args = ['--input-type=module', '-e', code]
    return Number(execFileSync(process.execPath, args, { encoding: 'utf8' }))
  }
  const built = new URL('../../dist/client.js', import.meta.url).href
  const bare = measure('data:text/javascript,')
  const ratio = await leastRatio(measure(built), bare, 1.5)
  expect(ratio).toBeLessThanOrEqual(1.5)
})
