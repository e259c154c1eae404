import { spawnSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { expect, test } from 'vitest'

const built = new URL('../../dist/cli/main.js', import.meta.url).pathname
const mostRounds = 60

function timeMs(...words: string[]): number {
  const startedAt = performance.now()
  const { status, stdout } = spawnSync(process.execPath, words, {
    encoding: 'utf8',
  })
  const took = performance.now() - startedAt
  expect(status).toBe(0)
  expect(stdout).toMatch(/^v?\d+\.\d+\.\d+/)
  return took
}

test('the version is told in little more than Node takes to start', () => {
  expect(existsSync(built), 'Build the packages first.').toBe(true)
  // In turns, and the best of each, until it shows: others use the machine.
  let bare = Number.POSITIVE_INFINITY
  let own = Number.POSITIVE_INFINITY
  const empty = 'process.stdout.write(process.version)'
  for (let round = 0; round < mostRounds && !(own / bare < 2.5); round++) {
    bare = Math.min(bare, timeMs('-e', empty))
    own = Math.min(own, timeMs(built, '--version'))
  }
  expect(own / bare).toBeLessThan(2.5)
}, 120_000)

test('for the version, next to nothing is loaded', () => {
  const list = `
    import { registerHooks } from 'node:module'
    let count = 0
    registerHooks({ load: (url, context, next) => (url.startsWith('file:') && count++, next(url, context)) })
    process.argv = [process.argv[0], '', '--version']
    await import(${JSON.stringify(built)})
    console.log(count)`
  const { stdout } = spawnSync(
    process.execPath,
    ['--input-type=module', '-e', list],
    { encoding: 'utf8' },
  )
  const manifest = new URL('../../package.json', import.meta.url)
  const { version } = JSON.parse(readFileSync(manifest, 'utf8'))
  const [told, count] = stdout.trim().split('\n')
  expect(told).toBe(version)
  expect(Number(count)).toBeLessThanOrEqual(2)
})
