import { readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { expect, test, vi } from 'vitest'
import {
  type LiveDaemon,
  startHere,
  tell,
  until,
} from './fixtures/live-daemon.ts'
import { siteForEach } from './fixtures/site.ts'

vi.setConfig({ testTimeout: 120_000, hookTimeout: 60_000 })

const site = siteForEach()
let live: LiveDaemon

/** A guard of write that says no, for this reason. */
const denies = (reason: string) =>
  `hooks:\n  - { name: guard, on: tool.guard, match: { tool: write }, handler: { type: command, shell: 'echo ${reason} >&2; exit 2' } }\n`

const write = { tool: 'write', args: { path: 'note.txt', content: 'x' } }

/** What a call is told. */
async function told(): Promise<string> {
  const { results } = await tell(live.client, [write])
  return results[0]?.text ?? ''
}

const isTold = (reason: string) => async () => (await told()).includes(reason)

test('F113 a circle of hooks is named, what ran before goes on, and nothing starts with it', async () => {
  site.write('user/hooks.yaml', denies('first'))
  live = await startHere(site)
  const circle = ['one', 'two'].map(
    (name, at, all) =>
      `  - { name: ${name}, on: tool.guard, after: [${all[1 - at]}], handler: { type: command, argv: ['true'] } }\n`,
  )
  site.write('user/hooks.yaml', `hooks:\n${circle.join('')}`)
  const { refusal = '' } = await live.client.reload()
  expect(refusal).toContain('one')
  expect(refusal).toContain('two')
  expect(await told()).toContain('first')
  await live.close()
  await expect(startHere(site)).rejects.toThrow(/one.*two|two.*one/)
})

test('F117 a file that is half written changes nothing until it is whole; F118 one that disappears stays in force, and it is said', async () => {
  const path = site.write('user/hooks.yaml', denies('first'))
  live = await startHere(site)
  const whole = denies('second')
  writeFileSync(path, whole.slice(0, whole.length - 20))
  // Nobody asks for it: the file is followed.
  await until(() => live.lines.some(({ event }) => event === 'config-refused'))
  expect(await told()).toContain('first')
  writeFileSync(path, whole)
  await until(isTold('second'))

  rmSync(path)
  await until(async () => {
    const { problems } = await live.client.getConfig()
    return problems.some(({ file }) => file === path)
  })
  expect(await told()).toContain('second')
})

test('F126 a file that is rewritten all the time is read now and then, and its last content counts', async () => {
  const path = site.write('user/hooks.yaml', denies('first'))
  live = await startHere(site)
  const loads = () =>
    live.lines.filter(({ event }) => event === 'config-loaded').length
  const before = loads()
  const startedAt = performance.now()
  for (let count = 0; count < 300; count++) {
    writeFileSync(`${path}.new`, denies(`number-${count}`))
    renameSync(`${path}.new`, path)
    await new Promise((resolve) => setImmediate(resolve))
  }
  await until(isTold('number-299'))
  const seconds = (performance.now() - startedAt) / 1_000
  expect(readFileSync(path, 'utf8')).toContain('number-299')
  expect(loads() - before).toBeLessThanOrEqual(2 + 2 * seconds)
})
