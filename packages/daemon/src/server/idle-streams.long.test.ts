import { afterEach, expect, test } from 'vitest'
import { createClient } from '../protocol/client.ts'
import { RawConnection, requestText } from './fixtures/raw.ts'
import { type RunningDaemon, runDaemon } from './fixtures/run-daemon.ts'
import {
  closeAll,
  makeFolder,
  onClose,
  until,
} from './fixtures/small-server.ts'
import { openHome } from './home.ts'

afterEach(closeAll)

async function memoryOf(daemon: RunningDaemon) {
  daemon.child.kill('SIGUSR2')
  const { rss, heapUsed, streams } = await daemon.said()
  return {
    rss: Number(rss),
    heapUsed: Number(heapUsed),
    streams: Number(streams),
  }
}

test.each([2_000, 10_000])(
  'F194: %i streams that nothing happens on cost at most 40 KiB each',
  async (count) => {
    const path = `${makeFolder()}/home`
    const daemon = runDaemon(path, ['--expose-gc'])
    await daemon.said()
    const { socket, token } = await openHome({ path })
    const client = createClient({ socket, token })
    onClose(() => client.close())
    await client.emit({ name: 'warm' })
    const before = await memoryOf(daemon)
    const text = requestText({
      target: '/v1/events',
      headers: { authorization: `Bearer ${token}` },
    })
    const streams: RawConnection[] = []
    // Not all at once: a queue of connections has an end.
    for (let at = 0; at < count; at++) {
      const stream = new RawConnection({ path: socket })
      stream.write(text)
      streams.push(stream)
      if (at % 100 === 99)
        await until(() => stream.received !== '', 'it is open')
    }
    await until(
      () => streams.every(({ received }) => received.includes(':\n\n')),
      'all are open',
    )
    const after = await memoryOf(daemon)
    expect(after.streams).toBe(count)
    const kib = (after.rss - before.rss) / count / 1_024
    console.log(
      `${count} streams: ${kib.toFixed(1)} KiB of memory each, ${((after.heapUsed - before.heapUsed) / count / 1_024).toFixed(1)} KiB of it in the heap`,
    )
    expect(kib).toBeLessThan(40)
    const beganMs = performance.now()
    await client.emit({ name: 'all' })
    await until(
      () => streams.every(({ received }) => received.includes('"all"')),
      'all have it',
    )
    console.log(
      `${count} streams: one event is with all of them after ${(performance.now() - beganMs).toFixed(0)} ms`,
    )
    for (const { socket: one } of streams) one.destroy()
    let left = count
    while (left > 0) left = (await memoryOf(daemon)).streams
  },
)
