import { expect, test, vi } from 'vitest'
import { type DaemonProcess, startProcess } from './fixtures/daemon-process.ts'
import { startHere, tell, until } from './fixtures/live-daemon.ts'
import { siteForEach } from './fixtures/site.ts'

vi.setConfig({ testTimeout: 120_000, hookTimeout: 60_000 })

const site = siteForEach()

async function start(...before: readonly string[]): Promise<DaemonProcess> {
  return await startProcess(site, { before })
}

const write = { tool: 'write', args: { path: 'note.txt', content: 'x' } }
const guard = (shell: string, more = '') =>
  site.write(
    'user/hooks.yaml',
    `hooks:\n  - { name: guard, on: tool.guard, match: { tool: write }${more}, handler: { type: command, shell: '${shell}' } }\n`,
  )

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch {
    return false
  }
}

test('F080 a command that a daemon left behind when it was killed is ended by the next one, and its run is told as crashed', async () => {
  guard(`echo $$ > ${site.base}/pid; sleep 600; true`, ', timeoutMs: 500000')
  const killed = await start()
  const { client } = killed
  const told = tell(client, [write]).catch(() => undefined)
  const pid = await until(() => Number(site.read('pid')))
  await until(async () => {
    const { items } = await client.listRuns({ state: 'started' })
    return items.length > 0
  })
  await killed.kill()
  await told
  guard('exit 2')
  const next = await start()
  await until(() => !isAlive(pid))
  const run = await until(async () => {
    const { items } = await next.client.listRuns({ hook: 'guard', limit: 10 })
    return items.find(({ failure }) => failure?.code === 'crashed')
  })
  expect(run.state).toBe('failed')
  expect(site.read('root/note.txt')).toBe('')
})

test('F209 without a temporary folder commands run, and what does not fit is cut, not lost', async () => {
  guard(`echo judged >> ${site.base}/guard.log`)
  const { client } = await start('env', `TMPDIR=${site.base}/nowhere`)
  const big = { tool: 'shell', args: { command: 'seq 1 200000' } }
  const { results } = await tell(client, [write, big])
  expect(results.map(({ isError }) => isError)).toEqual([false, false])
  expect(results[1]?.text).toMatch(/cut|shortened|left out/i)
  expect(site.read('guard.log')).toBe('judged\n')
})

test('T32 F208 a command that prints without end denies, and of many that are slow some are turned away early; the daemon answers meanwhile', async () => {
  guard('yes')
  const live = await startHere(site)
  try {
    const { results } = await tell(live.client, [write])
    expect(results).toMatchObject([{ isError: true }])
    const slow = `echo begun >> ${site.base}/slow.log; sleep 3`
    const begun = () => site.read('slow.log').split('\n').length - 1
    guard(slow, ', timeoutMs: 4000')
    await live.client.reload()
    const turns = (length: number) =>
      Array.from({ length }, () => tell(live.client, [write]))
    await Promise.all(turns(4))
    let ended = 0
    const many = turns(60).map((one) => one.finally(() => ended++))
    await until(() => begun() > 4)
    await live.client.listHooks()
    await live.client.health()
    expect(ended).toBeLessThan(60)
    const all = await Promise.all(many)
    expect(all.every(({ status }) => status === 'succeeded')).toBe(true)
    await live.daemon.workspace.runtime.drain()
    const { items } = await live.client.listRuns({ hook: 'guard', limit: 200 })
    const runs = await Promise.all(
      items.map(({ id }) => live.client.getRun({ runId: id })),
    )
    const away = runs.filter((run) =>
      JSON.stringify(run).includes('would not have begun in its time'),
    )
    expect(away.length).toBeGreaterThan(0)
    expect(runs).toHaveLength(65)
    expect(begun()).toBeLessThanOrEqual(64 - away.length)
  } finally {
    await live.close()
  }
})
