import { type Clock, systemClock } from 'hookline'
import { expect, onTestFinished, test, vi } from 'vitest'
import { startChild } from '../../agent/src/store/fixtures/child.ts'
import { diskFolder } from '../../agent/src/store/fixtures/disk-folder.ts'
import { ownPostgres } from '../../agent/src/store/fixtures/own-postgres.ts'
import { smallDisk } from '../../agent/src/store/fixtures/small-disk.ts'
import { startProxy } from '../../agent/src/store/fixtures/tcp-proxy.ts'
import { createLog } from './log/create-log.ts'
import { createReadiness } from './readiness.ts'
import { askStatus, untilStatus } from './reload/fixtures/asked-status.ts'
import { makePlace } from './reload/fixtures/place.ts'
import type { ReadyReport } from './reload/fixtures/ready-program.ts'
import { startDaemon } from './start-daemon.ts'

vi.setConfig({ testTimeout: 120_000 })

const own = ownPostgres()

test('a daemon whose disk is full is not ready, says why, and is ready when there is room', async () => {
  const home = diskFolder()
  const program = new URL('./reload/fixtures/ready-program.ts', import.meta.url)
  const child = startChild(
    program,
    { home, files: diskFolder() },
    { before: smallDisk(home, 16) },
  )
  expect(await child.ended).toMatchObject({ code: 0, errors: '' })
  const report: ReadyReport = JSON.parse(child.lines[0] ?? '{}')
  expect(report).toMatchObject({ before: 200, health: 200, after: 200 })
  expect(JSON.parse(report.full)).toEqual({
    isReady: false,
    problems: [expect.stringMatching(/disk is full.*goes on by itself/)],
  })
})

test('a Postgres that hangs, or is away, is said in time, and the daemon is healthy', async () => {
  const { server } = own()
  const proxy = await startProxy(server.port)
  onTestFinished(() => proxy.close())
  const url = new URL(server.url)
  url.port = String(proxy.port)
  const place = await makePlace()
  const { root, home, user, managed } = place
  const daemon = await startDaemon({
    ...{ root, home, user, managed, env: {} },
    database: { url: url.href, statementMs: 3_000 },
    log: createLog({ write: () => {} }),
  })
  onTestFinished(() => daemon.close({ graceMs: 0 }))
  const { socket = '' } = daemon.addresses
  expect(await askStatus(socket, '/v1/ready')).toMatchObject({ status: 200 })

  proxy.freezeAll()
  const hanging = await untilStatus(socket, 503)
  expect(hanging.body).toContain('does not answer within 2000 ms')
  expect(hanging.tookMs).toBeLessThan(10_000)
  const health = await askStatus(socket, '/v1/health')
  expect(health).toMatchObject({ status: 200 })
  expect(health.tookMs).toBeLessThan(hanging.tookMs)
  proxy.thaw()
  await untilStatus(socket, 200)

  await server.halt('fast')
  const away = await untilStatus(socket, 503)
  expect(away.tookMs).toBeLessThan(10_000)
  expect(await askStatus(socket, '/v1/health')).toMatchObject({ status: 200 })
  await server.start()
  await untilStatus(socket, 200)
})

test('however often it is asked, the store is asked once in a while', async () => {
  const place = await makePlace()
  const workspace = await place.open()
  let nowMs = 1_000
  const clock: Clock = { ...systemClock, now: () => nowMs }
  const { database } = workspace.store.parts
  const writes = vi.spyOn(database, 'write')
  const probes = () =>
    writes.mock.calls.filter(([{ name }]) => name === 'store.probe').length
  const ready = createReadiness(workspace, { clock })
  await Promise.all(Array.from({ length: 50 }, () => ready()))
  expect(await ready()).toEqual({ isReady: true, problems: [] })
  expect(probes()).toBe(1)
  nowMs += 1_001
  await ready()
  expect(probes()).toBe(2)
})
