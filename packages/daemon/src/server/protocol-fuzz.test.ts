import { randomInt } from 'node:crypto'
import { afterEach, expect, test } from 'vitest'
import { repetitions } from '../../../core/fixtures/repetitions.ts'
import { errorStatus } from '../protocol/errors.ts'
import { Random } from './fixtures/random.ts'
import { randomRequest } from './fixtures/random-request.ts'
import { RawConnection } from './fixtures/raw.ts'
import { closeAll, startSmall, until } from './fixtures/small-server.ts'

afterEach(closeAll)

const count = repetitions({ short: 10_000, long: 50_000 })
const known = new Set([...Object.values(errorStatus), 100, 200, 204, 417, 431])

test(`${count} requests of any kind: no failure inside, no crash, nobody hangs`, {
  timeout: count * 30,
}, async () => {
  const seed = Number(process.env['HOOKLINE_FUZZ_SEED'] ?? randomInt(2 ** 31))
  console.log(`protocol fuzz: HOOKLINE_FUZZ_SEED=${seed}`)
  const random = new Random(seed)
  // What never comes in whole is cut off soon, or this would take for ever.
  const limits = {
    headersTimeoutMs: 1_000,
    requestTimeoutMs: 1_500,
    checkMs: 100,
    rate: 1e9,
    burst: 1e9,
  }
  const { port, home, server, client, logged } = await startSmall({ limits })
  const counts = new Map<number, number>()
  const askOne = async () => {
    const bytes = randomRequest(random, home.token)
    const connection = new RawConnection({ port })
    connection.write(bytes)
    const deadline = AbortSignal.timeout(60_000)
    while (!connection.isClosed) {
      if (deadline.aborted)
        throw new Error(
          `Nobody answered: ${JSON.stringify(bytes.toString('latin1'))}`,
        )
      // What streams, streams; what waits for a turn, waits.
      if (
        connection.received.includes('text/event-stream') ||
        bytes.includes('"wait":true')
      )
        connection.socket.end()
      await Promise.race([
        connection.closed,
        new Promise((resolve) => setTimeout(resolve, 20)),
      ])
    }
    for (const { status, body } of connection.answers) {
      counts.set(status, (counts.get(status) ?? 0) + 1)
      if (!known.has(status) || status >= 500) {
        throw new Error(
          `Status ${status} for ${JSON.stringify(bytes.toString('latin1'))}: ${body}`,
        )
      }
    }
  }
  let left = count
  const work = async () => {
    while (left-- > 0) await askOne()
  }
  await Promise.all(Array.from({ length: 64 }, work))
  console.log(
    `answers by status: ${JSON.stringify(Object.fromEntries([...counts].sort(([a], [b]) => a - b)))}`,
  )
  // A fuzzer that never gets anything through has tested nothing.
  expect(counts.get(200)).toBeGreaterThan(500)
  expect(counts.get(400)).toBeGreaterThan(500)
  expect(logged.filter(({ level }) => level === 'error')).toEqual([])
  expect(await client.health()).toMatchObject({ status: 'ok' })
  client.close()
  // What was under way for somebody who has gone ends a moment later.
  const isQuiet = () => {
    const { connections, requests, streams } = server.counts
    return connections + requests + streams === 0
  }
  await until(isQuiet, 'nobody is connected, and nothing is under way')
})
