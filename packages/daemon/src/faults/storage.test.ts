import { closeSync, openSync, rmSync, writeSync } from 'node:fs'
import { type Clock, systemClock } from 'hookline'
import pg from 'pg'
import { expect, test, vi } from 'vitest'
import { startPostgres } from '../../../agent/src/store/fixtures/postgres-server.ts'
import { startProcess } from './fixtures/daemon-process.ts'
import { startHere, tell, until } from './fixtures/live-daemon.ts'
import { siteForEach } from './fixtures/site.ts'

vi.setConfig({ testTimeout: 120_000, hookTimeout: 60_000 })

const site = siteForEach()

/** The whole disk, to its last byte. */
function fill(file: string): void {
  const handle = openSync(file, 'a')
  for (let size = 65_536; size >= 1; ) {
    try {
      writeSync(handle, Buffer.alloc(size))
    } catch {
      size = Math.floor(size / 2)
    }
  }
  closeSync(handle)
}

const write = (path: string) => ({
  tool: 'write',
  args: { path, content: 'x' },
})

test('F147 on a full disk nothing that is gated runs, people can look and end it, and it goes on by itself when there is room', async () => {
  site.write(
    'user/hooks.yaml',
    "hooks:\n  - { name: gate, on: tool.guard, handler: { type: command, argv: ['true'] } }\n",
  )
  // A small disk of its own for the home, which this process sees by its number.
  const own = process.getuid?.() === 0 ? ['-m'] : ['-r', '-m']
  const mount = 'mount -t tmpfs -o size=12m,mode=0700 none "$0" && exec "$@"'
  const daemon = await startProcess(site, {
    before: ['unshare', ...own, 'sh', '-c', mount, site.home],
    seesHome: 'by-process',
  })
  const { client, child } = daemon
  const inside = `/proc/${child.pid}/root${site.home}`
  expect((await tell(client, [write('one.txt')])).results).toMatchObject([
    { isError: false },
  ])
  const filler = `${inside}/filler`
  fill(filler)
  // Pages of the file may still have room.
  let last = 0
  await until(async () => {
    fill(filler)
    const path = `full-${++last}.txt`
    const told = await tell(client, [write(path)]).catch(() => undefined)
    const isWritten = site.read(`root/${path}`) === 'x'
    return told?.results[0]?.isError === false || isWritten ? undefined : 'full'
  })
  await client.listApprovals({})
  await client.listHooks({})
  const off = await client.disableAllHooks({ until: Date.now() + 60_000 })
  expect(off.disabled).toBeGreaterThan(0)
  await client.enableAllHooks({})
  rmSync(filler)
  await until(async () => {
    const path = `again-${++last}.txt`
    await tell(client, [write(path)]).catch(() => undefined)
    return site.read(`root/${path}`) === 'x'
  })
  fill(filler)
  await client.shutdown({ graceMs: 0 })
  expect(await daemon.ended).toBe(0)
})

test('F176 while Postgres is read-only nothing that is gated runs, people can look, and then it goes on by itself', async () => {
  const server = await startPostgres()
  const sql = new pg.Client({ connectionString: server.url })
  await sql.connect()
  await sql.query('SET default_transaction_read_only = off')
  const setReadOnly = async (value: 'on' | 'off') => {
    await sql.query(`ALTER SYSTEM SET default_transaction_read_only = ${value}`)
    await sql.query('SELECT pg_reload_conf()')
  }
  const database = { url: server.url, schema: 'daemon' }
  const live = await startHere(site, { database })
  try {
    const { client } = live
    const { id: sessionId } = await client.createSession({})
    const before = await tell(client, [write('before.txt')], sessionId)
    expect(before.results).toMatchObject([{ isError: false }])
    await setReadOnly('on')
    let last = 0
    await until(async () => {
      const path = `meanwhile-${++last}.txt`
      await tell(client, [write(path)], sessionId).catch(() => undefined)
      return site.read(`root/${path}`) === ''
    })
    await client.listApprovals({})
    expect((await client.listSessions({})).items).toHaveLength(1)
    await setReadOnly('off')
    await until(async () => {
      const path = `again-${++last}.txt`
      await tell(client, [write(path)]).catch(() => undefined)
      return site.read(`root/${path}`) === 'x'
    })
  } finally {
    await live.close()
    await sql.end()
    await server.remove()
  }
})

test('F167 a daemon that cannot say that it lives stops what it does before others may take it', async () => {
  let passedMs = 0
  const clock: Clock = {
    now: () => systemClock.now() + passedMs,
    after: (ms, run) => systemClock.after(ms, run),
    wallAt: (at) => systemClock.wallAt(at),
  }
  const live = await startHere(site, { clock })
  try {
    const { client, daemon } = live
    const { id: sessionId } = await client.createSession({})
    const command =
      'echo begun >> tool.log; until [ -e go ]; do sleep 0.05; done; echo ended >> tool.log'
    const shell = { tool: 'shell', args: { command } }
    await client.send({ sessionId, input: JSON.stringify([shell]) })
    await until(() => site.read('root/tool.log').includes('begun'))
    const { lease } = daemon.workspace.store
    expect(lease.isHeld).toBe(true)
    // As if no beat had got through for nearly as long as the lease.
    passedMs = 13_000
    expect(lease.isHeld).toBe(false)
    await until(async () => {
      const { state } = await client.getSession({ sessionId })
      return state !== 'running'
    })
    site.write('root/go', '')
    await until(async () => {
      const { state } = await client.getSession({ sessionId })
      return state === 'idle'
    })
    // It was ended with the turn, and what may have run is not run again.
    expect(site.read('root/tool.log')).toBe('begun\n')
    const { messages } = await client.listMessages({ sessionId })
    expect(JSON.stringify(messages)).toContain('Nobody knows what it has done')
  } finally {
    await live.close()
  }
})
