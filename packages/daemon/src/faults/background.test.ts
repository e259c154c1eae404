import { type Clock, systemClock } from 'hookline'
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

/** Hooks that run as jobs: those in front keep the others waiting. */
function hooks(...more: readonly string[]): string {
  const busy = `until [ -e ${site.base}/go ]; do sleep 0.05; done`
  return ['hooks:', job('busy', busy), ...more, ''].join('\n')
}

const job = (name: string, shell: string) =>
  `  - { name: ${name}, on: tool.post_call, execution: background, idempotent: true, match: { tool: ${name === 'busy' ? 'glob' : 'write'} }, handler: { type: command, shell: '${shell}' } }`

const note = (word: string) => `echo ${word} >> ${site.base}/jobs.log`
const globs = Array.from({ length: 6 }, () => {
  return { tool: 'glob', args: { pattern: '*' } }
})
const write = { tool: 'write', args: { path: 'note.txt', content: 'x' } }

/** All workers are busy, and these two wait. */
async function queueBoth(): Promise<void> {
  site.write(
    'user/hooks.yaml',
    hooks(job('removed', note('removed')), job('changed', note('before'))),
  )
  let passedMs = 0
  const clock: Clock = {
    now: () => systemClock.now() + passedMs,
    after: (ms, run) => systemClock.after(ms, run),
    wallAt: (at) => systemClock.wallAt(at),
  }
  live = await startHere(site, { clock })
  // For a minute a hook that is not there may only not be there yet.
  passedMs = 61_000
  await live.daemon.workspace.store.lease.renew()
  await tell(live.client, globs)
  await until(async () => (await listed('busy', 'running')).length > 0)
  await tell(live.client, [write])
  await until(async () => {
    const waiting = [
      ...(await listed('removed', 'queued')),
      ...(await listed('changed', 'queued')),
    ]
    return waiting.length === 2
  })
}

async function listed(hook: string, state?: string) {
  const { items } = await live.client.listJobs({ limit: 100 })
  return items.filter((one) => {
    const isOfIt = JSON.stringify(one).includes(`"${hook}"`)
    return isOfIt && (state === undefined || one['state'] === state)
  })
}

test('F121 F122 a job whose hook was removed or changed meanwhile is skipped, and says why', async () => {
  await queueBoth()
  site.write('user/hooks.yaml', hooks(job('changed', note('after'))))
  await live.client.reload()
  site.write('go', '')
  const waits = new Set<unknown>(['queued', 'running', 'delayed'])
  const ended = (hook: string) =>
    until(async () => {
      return (await listed(hook)).find(({ state }) => !waits.has(state))
    })
  const removed = await ended('removed')
  const changed = await ended('changed')
  expect(removed).toMatchObject({ state: 'cancelled', reason: 'unregistered' })
  expect(changed).toMatchObject({ state: 'dead', reason: 'version_changed' })
  expect(site.read('jobs.log')).toBe('')
})
