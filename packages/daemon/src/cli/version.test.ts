import { spawnSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { leastRatio } from '../../../core/fixtures/time-ratio.ts'

const built = new URL('../../dist/cli/main.js', import.meta.url).pathname

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

test('the version is told in little more than Node takes to start', async () => {
  expect(existsSync(built), 'Build the packages first.').toBe(true)
  const empty = 'process.stdout.write(process.version)'
  const ratio = await leastRatio(
    () => timeMs(built, '--version'),
    () => timeMs('-e', empty),
    2.5,
  )
  expect(ratio).toBeLessThanOrEqual(2.5)
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
