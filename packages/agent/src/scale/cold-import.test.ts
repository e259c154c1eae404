import { execFileSync } from 'node:child_process'
import { expect, test } from 'vitest'
import { leastRatio } from '../../../core/fixtures/time-ratio.ts'

/** Node alone is 1, and the package with it about 2. */
const mostTimes = 4

/** Runs a program in a Node of its own, which finds the built packages. */
function runProgram(program: string): string {
  const args = ['--no-warnings', '--input-type=module', '--eval', program]
  const cwd = new URL('../..', import.meta.url)
  return execFileSync(process.execPath, args, { cwd, encoding: 'utf8' })
}

/** The packages that a module brings with it, ours left out. */
function packagesOf(specifier: string): string[] {
  const urls: string[] = JSON.parse(
    runProgram(`
      import { registerHooks } from 'node:module'
      const urls = []
      registerHooks({
        load(url, context, next) {
          urls.push(url)
          return next(url, context)
        },
      })
      await import(${JSON.stringify(specifier)})
      console.log(JSON.stringify(urls))`),
  )
  expect(urls.length).toBeGreaterThan(0)
  const names = urls.map(
    (url) => /.*\/node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(url)?.[1],
  )
  return [...new Set(names.filter((name) => name !== undefined))]
}

function timeOf(program: string): number {
  const start = performance.now()
  runProgram(program)
  return performance.now() - start
}

test('importing the package loads no other package but the engine', () => {
  expect(packagesOf('@hookline/agent')).toEqual([])
})

test('importing what tests need loads no other package either', () => {
  expect(packagesOf('@hookline/agent/testing')).toEqual([])
})

test('a package that is loaded is noticed', () => {
  expect(packagesOf('ajv')).toContain('ajv')
  expect(packagesOf('yaml')).toContain('yaml')
})

test('importing the package costs a moment over bare Node', {
  timeout: 60_000,
}, async () => {
  const ratio = await leastRatio(
    () => timeOf(`import '@hookline/agent'`),
    () => timeOf(''),
    mostTimes,
  )
  expect(ratio).toBeLessThanOrEqual(mostTimes)
})
