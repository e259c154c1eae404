import { afterEach, expect, test } from 'vitest'
import { type Client, createClient } from '../protocol/client.ts'
import type { StreamItem } from '../protocol/schemas/events.ts'
import { closeAll, startSmall } from '../server/fixtures/small-server.ts'
import { hostWorld } from './fixtures/host-world.ts'

const sessions = 200
const clients = 8

afterEach(closeAll)

/** Everything that is told about a session until its turn has ended. */
async function readToEnd(
  items: AsyncIterable<StreamItem>,
): Promise<readonly StreamItem[]> {
  const read: StreamItem[] = []
  for await (const item of items) {
    read.push(item)
    if (item.type === 'event' && item.event.type === 'turn-end') break
  }
  return read
}

function textIn(items: readonly StreamItem[]): string {
  return items
    .flatMap((item) =>
      item.type === 'event' && item.event.type === 'text-delta'
        ? [item.event.text]
        : [],
    )
    .join('')
}

test(`${sessions} sessions run turns at once over HTTP: all end, and the stream of each has everything`, {
  timeout: 120_000,
}, async () => {
  const world = await hostWorld()
  const { service, host } = await world.open()
  const { home } = await startSmall({ service })
  const { socket, token } = home
  const many = Array.from({ length: clients }, () =>
    createClient({ socket, token }),
  )
  const startedMs = performance.now()
  let most = 0
  const run = async (client: Client, index: number) => {
    const { id: sessionId } = await client.createSession({ id: `s${index}` })
    const watched = client.watchSession({ sessionId, fromStart: true })
    const told = readToEnd(watched)
    const input = `Hello from ${index}.`
    // Each has its call under way before any may end.
    await client.send({ sessionId, input: `slow ${input}`, key: 'k' })
    most = Math.max(most, host.counts.turns)
    if (host.counts.turns === sessions) world.openGate()
    const items = await told
    const sent = { sessionId, input: `slow ${input}`, key: 'k', wait: true }
    const outcome = await client.send(sent)
    expect(outcome).toMatchObject({
      status: 'succeeded',
      text: `Done: slow ${input}`,
      isDuplicate: true,
    })
    expect(textIn(items)).toBe(outcome.text)
    const types = items.flatMap((item) =>
      item.type === 'event' ? [item.event.type] : [item.type],
    )
    for (const lost of ['lagged', 'reset', 'gap']) {
      expect(types).not.toContain(lost)
    }
    for (const type of ['turn-start', 'turn-input', 'tool-start', 'tool-end']) {
      expect(types.filter((one) => one === type)).toHaveLength(1)
    }
    expect(items.every(({ cursor }) => cursor !== undefined)).toBe(true)
    const { messages } = await client.listMessages({ sessionId })
    expect(messages).toHaveLength(4)
  }
  const all = Array.from({ length: sessions }, (_, index) =>
    run(many[index % clients] as Client, index),
  )
  await Promise.all(all)
  const tookMs = performance.now() - startedMs
  for (const client of many) client.close()
  expect(most).toBe(sessions)
  expect(host.counts.turns).toBe(0)
  expect(world.effects()).toHaveLength(sessions)
  console.log(
    `http: ${sessions} sessions, ${most} turns at once, ${Math.round(tookMs)} ms`,
  )
})
