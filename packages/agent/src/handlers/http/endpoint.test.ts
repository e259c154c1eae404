import { createFakeClock } from 'hookline/testing'
import { expect, test } from 'vitest'
import { askServer } from './fixtures/ask-server.ts'
import {
  always,
  answerTo,
  type Serve,
  startHostile,
} from './fixtures/hostile-server.ts'
import { withoutLeaks } from './fixtures/leaks.ts'
import { endOf, openSender, specFor, until } from './fixtures/send.ts'

const proceed = always((seen) => ({ body: answerTo(seen) }))

/** Answers those it holds when it is told to. */
function holding() {
  const held: (() => void)[] = []
  const serve: Serve = (socket, seen) => {
    held.push(() => proceed(socket, seen))
  }
  return { held, serve }
}

test('F099 of a hundred requests at once, eight are under way and the others wait for a place', async () => {
  const { held, serve } = holding()
  await withoutLeaks(async () => {
    await using server = await startHostile(serve)
    await using sender = openSender()
    const ends = Array.from({ length: 100 }, () =>
      endOf(sender.send(specFor(server.port))),
    )
    for (let round = 0; round < 13; round++) {
      const expected = Math.min(8, 100 - round * 8)
      await until(() => held.length === expected)
      for (const answer of held.splice(0)) answer()
    }
    expect(new Set(await Promise.all(ends))).toEqual(new Set([200]))
    expect(server.connections.made).toBe(8)
  })
})

test('F099 whoever finds no place before the deadline is one too many', async () => {
  await using server = await startHostile(() => {})
  await using sender = openSender({ circuit: { failures: 100 } })
  const held = endOf(sender.send(specFor(server.port, { concurrency: 1 })))
  await until(() => server.seen.length === 1)
  const more = { concurrency: 1, timeoutMs: 50 }
  const late = sender.send(specFor(server.port, more))
  expect(await endOf(late)).toBe('overloaded')
  const giving = new AbortController()
  const { signal } = giving
  const given = sender.send(specFor(server.port, { ...more, signal }))
  giving.abort()
  expect(await endOf(given)).toBe('cancelled')
  expect(server.seen).toHaveLength(1)
  await sender.close()
  expect(await held).toBe('cancelled')
})

test.for(['closed', 'open'] as const)(
  'F099 a hundred hooks at a slow endpoint end with its deadline, and the next is not asked at all (%s)',
  async (onFailure) => {
    await withoutLeaks(async () => {
      await using server = await startHostile(() => {})
      await using shared = openSender()
      const url = `http://127.0.0.1:${server.port}/`
      const ask = (timeoutMs: number) =>
        askServer({
          handler: { url, allowPrivate: true },
          hook: { onFailure, timeoutMs },
          shared,
        })
      const startedMs = performance.now()
      const asked = await Promise.all(
        Array.from({ length: 100 }, () => ask(500)),
      )
      // Ten times as much, for a machine that has other things to do.
      expect(performance.now() - startedMs).toBeLessThan(5_000)
      const types = new Set(asked.map(({ type }) => type))
      const expected = onFailure === 'open' ? 'proceed' : 'reject'
      expect(types).toEqual(new Set([expected]))
      // Eight at once, and those that came in before the fifth had failed.
      expect(server.seen.length).toBeLessThanOrEqual(12)

      const seen = server.seen.length
      const next = await ask(30_000)
      expect(next.diagnostics).toContain('handler.circuit-open')
      expect(next.type).toBe(expected)
      expect(next.record.latencyMs).toBeLessThan(5_000)
      expect(server.seen).toHaveLength(seen)
    })
  },
)

test('an endpoint that has failed five times is left alone for ten seconds, then tried by one', async () => {
  const clock = createFakeClock()
  let isDown = true
  const { held, serve } = holding()
  await using server = await startHostile((socket, seen) => {
    if (isDown) socket.resetAndDestroy()
    else serve(socket, seen)
  })
  await using sender = openSender({ clock })
  const send = () => endOf(sender.send(specFor(server.port)))
  for (let count = 0; count < 5; count++) {
    expect(await send()).toBe('unknown-outcome')
  }
  expect(await send()).toBe('circuit-open')
  await clock.advance(9_999)
  expect(await send()).toBe('circuit-open')
  expect(server.seen).toHaveLength(5)

  await clock.advance(1)
  expect(await send()).toBe('unknown-outcome')
  expect(await send()).toBe('circuit-open')

  isDown = false
  await clock.advance(10_000)
  const trial = send()
  await until(() => held.length === 1)
  expect(await send()).toBe('circuit-open')
  held[0]?.()
  expect(await trial).toBe(200)
  const next = send()
  await until(() => held.length === 2)
  held[1]?.()
  expect(await next).toBe(200)
})

test('those that wait for a place are sent away when the endpoint is given up', async () => {
  const { held, serve } = holding()
  await using server = await startHostile(serve)
  await using sender = openSender({ circuit: { failures: 1 } })
  const spec = specFor(server.port, { concurrency: 1 })
  const ends = Array.from({ length: 4 }, () => endOf(sender.send(spec)))
  await until(() => held.length === 1)
  server.dropAll()
  expect(await Promise.all(ends)).toEqual([
    ...['unknown-outcome', 'circuit-open', 'circuit-open', 'circuit-open'],
  ])
  expect(server.seen).toHaveLength(1)
})

test('a success in between, and a caller that gives up, are no failures in a row', async () => {
  await using server = await startHostile((socket, seen) => {
    if (seen.run === 'good') proceed(socket, seen)
    else if (seen.run === 'bad') always({ status: 500 })(socket, seen)
  })
  await using sender = openSender({ circuit: { failures: 3 } })
  const send = (run: string, signal?: AbortSignal) => {
    const headers = { 'hookline-run': run }
    const more = signal === undefined ? { headers } : { headers, signal }
    return endOf(sender.send(specFor(server.port, more)))
  }
  for (const run of ['bad', 'bad', 'good', 'bad', 'bad']) await send(run)
  const giving = new AbortController()
  const seen = server.seen.length
  const given = send('held', giving.signal)
  await until(() => server.seen.length > seen)
  giving.abort()
  expect(await given).toBe('cancelled')
  expect(await send('good')).toBe(200)
  for (const run of ['bad', 'bad', 'bad']) expect(await send(run)).toBe(500)
  expect(await send('good')).toBe('circuit-open')
})

test('one endpoint that fails does not close another at the same server', async () => {
  await using server = await startHostile((socket, seen) => {
    if (seen.line.includes('/good')) proceed(socket, seen)
    else socket.resetAndDestroy()
  })
  await using sender = openSender({ circuit: { failures: 1 } })
  const at = (path: string) => {
    const url = `http://127.0.0.1:${server.port}${path}`
    return endOf(sender.send(specFor(1, { url })))
  }
  expect(await at('/bad')).toBe('unknown-outcome')
  expect(await at('/bad?again')).toBe('circuit-open')
  expect(await at('/good')).toBe(200)
})
