import { expect, test, vi } from 'vitest'
import type { Client } from '../protocol/client.ts'
import { openHome } from '../server/home.ts'
import { type LiveDaemon, startHere, until } from './fixtures/live-daemon.ts'
import { siteForEach } from './fixtures/site.ts'

vi.setConfig({ testTimeout: 120_000, hookTimeout: 60_000 })

const site = siteForEach()

const plugins = { skills: false, memory: false, delegate: false }
const long = { graceMs: 30_000 }

/** A turn that waits for somebody who agrees. */
async function begin(client: Client) {
  const call = { tool: 'write', args: { path: 'a.txt', content: 'x' } }
  const { id: sessionId } = await client.createSession({})
  await client.send({ sessionId, input: JSON.stringify([call]) })
  const approval = await until(async () => {
    return (await client.listApprovals({ sessionId })).items[0]
  })
  return { sessionId, approval }
}

/** Its end, which comes when no turn runs any more. */
function end({ daemon }: LiveDaemon) {
  let hasEnded = false
  const ended = daemon.close(long).then(() => {
    hasEnded = true
  })
  return { ended, hasEnded: () => hasEnded }
}

async function start() {
  const live = await startHere(site, { values: [{ plugins }] })
  return { ...live, ...(await begin(live.client)) }
}

const refused = { code: 'shutting-down' }

test('while turns end they can be read, answered and cancelled; what would be new is refused', async () => {
  const live = await start()
  const { client, sessionId, approval } = live
  const { ended, hasEnded } = end(live)
  await expect(client.createSession({})).rejects.toMatchObject(refused)
  const more = client.send({ sessionId, input: '[]' })
  await expect(more).rejects.toMatchObject(refused)
  await expect(client.compact({ sessionId })).rejects.toMatchObject(refused)
  expect(await client.health()).toMatchObject({ status: 'ok' })
  expect(await client.getSession({ sessionId })).toMatchObject({
    state: 'waiting',
  })
  expect(hasEnded()).toBe(false)
  const { id: approvalId, shownHash } = approval
  await client.answerApproval({ approvalId, shownHash, type: 'allow' })
  await ended
  expect(site.read('root/a.txt')).toBe('x')
  await expect(client.health()).rejects.toMatchObject({ code: 'unavailable' })
})

test('a turn that is cancelled while a daemon stops holds it up no longer', async () => {
  const live = await start()
  const { client, sessionId } = live
  const { ended } = end(live)
  await client.cancel({ sessionId })
  await ended
  expect(site.read('root/a.txt')).toBe('')
})

test('a daemon that stops is not ready, and says so', async () => {
  const live = await start()
  const { client, sessionId } = live
  const { ended } = end(live)
  const problems = [expect.stringContaining('stops')]
  expect(await client.ready()).toEqual({ isReady: false, problems })
  await client.cancel({ sessionId })
  await ended
})

test('a stream shows how the last turn ends, gets its last notice then, and holds up nothing', async () => {
  const live = await start()
  const { client, sessionId } = live
  const seen: string[] = []
  const stop = new AbortController()
  const read = async () => {
    for await (const item of client.watchSession({ sessionId }, stop)) {
      if (item.type === 'event') seen.push(item.event.type)
      if (item.type !== 'notice') continue
      seen.push(item.name)
      if (item.name === 'shutting-down') return
    }
  }
  const reading = read()
  await until(async () => (await client.info()).counts.streams === 1)
  const { ended } = end(live)
  await client.cancel({ sessionId })
  await Promise.all([ended, reading])
  expect(seen).toContain('turn-end')
  expect(seen.at(-1)).toBe('shutting-down')
})

test('another cannot take its home before the last turn has ended, and can at once after', async () => {
  const live = await start()
  const { client, sessionId } = live
  const { ended } = end(live)
  const home = await openHome({ path: site.home })
  await expect(home.lock()).rejects.toMatchObject({ code: 'already-running' })
  await client.cancel({ sessionId })
  await ended
  const lock = await home.lock()
  lock.release()
})

test('a turn that does not end is let go of when the grace is over', async () => {
  const { client, daemon } = await start()
  await daemon.close({ graceMs: 100 })
  await expect(client.health()).rejects.toMatchObject({ code: 'unavailable' })
  const home = await openHome({ path: site.home })
  const lock = await home.lock()
  lock.release()
})
