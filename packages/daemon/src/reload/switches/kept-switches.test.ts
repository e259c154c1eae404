import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, onTestFinished, test, vi } from 'vitest'
import { startChild } from '../../../../agent/src/store/fixtures/child.ts'
import { diskFolder } from '../../../../agent/src/store/fixtures/disk-folder.ts'
import {
  makeReadyPlace as makeDatabase,
  removePlace,
} from '../../../../agent/src/store/fixtures/places.ts'
import { smallDisk } from '../../../../agent/src/store/fixtures/small-disk.ts'
import { startProxy } from '../../../../agent/src/store/fixtures/tcp-proxy.ts'
import type { SwitchReport } from '../fixtures/full-disk-program.ts'
import { makePlace } from '../fixtures/place.ts'

vi.setConfig({ testTimeout: 120_000 })

const hourMs = 3_600_000
const denies =
  'hooks:\n  - {name: denies, on: tool.guard, handler: {type: command, argv: ["false"]}}'

/** A Postgres of its own for several daemons. */
async function sharedDatabase() {
  const place = await makeDatabase('postgres')
  onTestFinished(() => removePlace(place))
  if (place.dialect !== 'postgres') throw new Error('It is no Postgres.')
  const { url, schema } = place
  return { url, schema }
}

test('on a full disk all hooks are off at once, it is said that it is not kept, and it is kept when there is room', async () => {
  const files = diskFolder()
  const home = diskFolder()
  await mkdir(join(files, 'user'))
  await writeFile(join(files, 'user', 'hooks.yaml'), denies)
  const program = new URL('../fixtures/full-disk-program.ts', import.meta.url)
  const before = smallDisk(home, 16)
  const child = startChild(program, { home, files }, { before })
  expect(await child.ended).toEqual({ code: 0, signal: null, errors: '' })
  const report: SwitchReport = JSON.parse(child.lines[0] ?? '{}')
  expect(report).toEqual({
    isKept: false,
    problem: expect.stringMatching(/full/i),
    isPlanned: false,
    told: ['switches-not-kept', 'switches-kept'],
    byAfterRestart: 'ann',
    audited: ['hooks.all-off'],
  })
})

test('what one daemon switches holds for all that share a Postgres', async () => {
  const database = await sharedDatabase()
  const one = await makePlace()
  const other = await makePlace()
  await one.write('user/hooks.yaml', denies)
  await other.write('user/hooks.yaml', denies)
  const first = await one.open({ database })
  const second = await other.open({ database })
  const planned = () =>
    second.runtime.tableOf('main').hooks.some(({ name }) => name === 'denies')
  expect(planned()).toBe(true)
  const until = Date.now() + hourMs
  const outcome = await first.switches.disableAll({ until }, 'ann')
  expect(outcome.isKept).toBe(true)
  await expect.poll(planned).toBe(false)
  expect(second.switches.state.allOff?.by).toBe('ann')
  // Both change something at the same time, and neither is lost.
  await Promise.all([
    first.switches.set({ name: 'denies', mode: 'evaluate' }, 'ann'),
    second.switches.enableAll('bob'),
  ])
  const states = () =>
    [first, second].map(({ switches: { state } }) => ({
      isOff: state.allOff !== undefined,
      modes: state.hooks.map(({ name, mode }) => `${name} ${mode}`),
    }))
  const both = { isOff: false, modes: ['denies evaluate'] }
  await expect.poll(states).toEqual([both, both])
})

test('a store that hangs lets nobody wait: all hooks are off, and it is kept later', async () => {
  const { url, schema } = await sharedDatabase()
  const target = new URL(url)
  const proxy = await startProxy(Number(target.port))
  onTestFinished(() => proxy.close())
  target.port = String(proxy.port)
  target.hostname = '127.0.0.1'
  const place = await makePlace()
  await place.write('user/hooks.yaml', denies)
  const database = { url: target.href, schema, statementMs: 2_000, poolSize: 3 }
  const workspace = await place.open({ database })
  const { switches, runtime } = workspace
  // New lines hang as well: over one of these it could be kept in time.
  proxy.freezeAll()
  const outcome = await switches.disableAll(
    { until: Date.now() + hourMs },
    'ann',
  )
  expect(outcome).toMatchObject({ isKept: false, problem: expect.any(String) })
  const names = runtime.tableOf('main').hooks.map(({ name }) => name)
  expect(names).not.toContain('denies')
  proxy.thaw()
  const events = () => place.lines.map(({ event }) => event)
  await expect.poll(events, { timeout: 60_000 }).toContain('switches-kept')
})
