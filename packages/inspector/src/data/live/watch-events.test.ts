import { expect, onTestFinished, test, vi } from 'vitest'
import type { StreamItem } from '../protocol.ts'
import type { FromHub, ToHub } from './shared/port-messages.ts'
import { forgetWorker } from './shared/shared-worker.ts'
import { watchEvents } from './watch-events.ts'

const notice = (cursor: string): StreamItem => ({
  type: 'notice',
  cursor,
  at: 0,
  name: cursor,
})

/** A browser whose shared worker is this test. */
function stageWorker() {
  const ports: MessagePort[] = []
  const said: ToHub[] = []
  class SharedWorker extends EventTarget {
    readonly port = {
      postMessage: (_: unknown, [port]: readonly MessagePort[]) => {
        if (port === undefined) return
        ports.push(port)
        port.onmessage = ({ data }) => said.push(data)
      },
      close: () => undefined,
    }
  }
  vi.stubGlobal('SharedWorker', SharedWorker)
  vi.stubGlobal('window', new EventTarget())
  onTestFinished(() => {
    forgetWorker()
    vi.unstubAllGlobals()
    for (const port of ports) port.close()
  })
  const post = (...messages: FromHub[]) => {
    for (const message of messages) ports.at(-1)?.postMessage(message)
  }
  return { ports, said, post }
}

const item = (cursor: string): FromHub => ({
  type: 'item',
  item: notice(cursor),
})

/** What was before, told by a daemon that lets nothing of it be missed. */
function past(cursors: readonly string[], meanwhile: () => void = () => {}) {
  const read = async function* () {
    meanwhile()
    for (const cursor of cursors) yield notice(cursor)
  }
  return { watchAll: vi.fn(read), watchSession: vi.fn(read) }
}

async function take(items: AsyncIterator<StreamItem>, count: number) {
  const taken: unknown[] = []
  while (taken.length < count) taken.push((await items.next()).value?.cursor)
  return taken
}

test('what was before and what happens are put together: nothing twice, nothing missed, in order', async () => {
  const { post, said } = stageWorker()
  // Some of what is in the log comes live as well, also later than it is read.
  const client = past(['1', '2', '3'], () => post(item('2')))
  const gone = new AbortController()
  const onOpen = vi.fn()
  const items = watchEvents({
    ...{ token: 't', client, after: '0', signal: gone.signal, onOpen },
  })
  const taken = take(items, 5)
  await Promise.resolve()
  post({ type: 'open' })
  await expect.poll(() => onOpen).toHaveBeenCalled()
  post(item('3'), item('4'), item('5'))
  expect(await taken).toEqual(['1', '2', '3', '4', '5'])
  const asked = { after: '0', untilNow: true }
  const signal = expect.anything()
  expect(client.watchAll).toHaveBeenCalledWith(asked, { signal })
  gone.abort()
  expect((await items.next()).done).toBe(true)
  await expect.poll(() => said.at(-1)).toBe('leave')
})

test('whoever begins now asks for nothing that was before, and a cut is thrown as it is told', async () => {
  const { post } = stageWorker()
  const client = past([])
  const { signal } = new AbortController()
  const items = watchEvents({
    ...{ token: 't', client, sessionId: 's', signal, onOpen: () => {} },
  })
  const first = items.next()
  await Promise.resolve()
  post({ type: 'open' }, item('1'))
  expect((await first).value?.cursor).toBe('1')
  const next = items.next()
  post({ type: 'end', code: 'too-slow', message: 'Too slow.' })
  await expect(next).rejects.toMatchObject({ code: 'too-slow' })
  expect(client.watchSession).not.toHaveBeenCalled()
})

test('a worker that died is noticed, and the next one is another', async () => {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] })
  onTestFinished(() => void vi.useRealTimers())
  const { post, ports } = stageWorker()
  const options = {
    ...{ token: 't', client: past([]), onOpen: () => {} },
    signal: new AbortController().signal,
  }
  const items = watchEvents(options)
  const first = items.next()
  await Promise.resolve()
  post({ type: 'open' }, item('1'))
  await first
  const next = items.next()
  const failed = expect(next).rejects.toMatchObject({ code: 'unavailable' })
  vi.advanceTimersByTime(30_000)
  await failed
  const again = watchEvents(options)
  const after = again.next()
  await Promise.resolve()
  expect(ports).toHaveLength(2)
  post({ type: 'open' }, item('2'))
  expect((await after).value?.cursor).toBe('2')
  await again.return()
})
