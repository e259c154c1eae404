import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { expect, test } from 'vitest'

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

test('a client loads in 15 ms over bare Node', { timeout: 60_000 }, () => {
  // The time of the processor: that of the clock is everybody's on a busy machine.
  const measure = (url: string) => {
    const code = `const at = process.cpuUsage(); await import(${JSON.stringify(url)}); const { user, system } = process.cpuUsage(at); console.log((user + system) / 1000)`
    const times = Array.from({ length: 7 }, () => {
      const args = ['--input-type=module', '-e', code]
      return Number(execFileSync(process.execPath, args, { encoding: 'utf8' }))
    })
    return Math.min(...times)
  }
  const built = new URL('../../dist/client.js', import.meta.url).href
  const overMs = measure(built) - measure('data:text/javascript,')
  console.log(`import of the client: ${overMs.toFixed(1)} ms`)
  expect(overMs).toBeLessThan(15)
})
