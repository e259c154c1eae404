import type { Browser, Page } from 'playwright-core'
import { hrefOf } from '../src/around/routes/addresses.ts'
import { openInspector } from '../src/fixtures/inspector-page.ts'
import type { TestDaemon } from '../src/fixtures/test-daemon.ts'

export interface MemoryFigures {
  /** How much the pages were told while it was measured. */
  readonly events: number
  readonly seconds: number
  /** Of each page: at the start, in the middle and at the end. */
  readonly pages: readonly PageMemory[]
}

export interface PageMemory {
  readonly view: string
  readonly heapMb: readonly number[]
  readonly nodes: readonly number[]
}

/** Four a second: what somebody hears of an agent that never rests. */
export const eventsOfAnHour = 14_400
/** A slow machine is not kept for longer; how far it came is told. */
const mostMs = 60_000
/** A page keeps fewer turns of a session, so that it is full when it begins. */
const turnsBefore = 110
const wordsInTurn = 300
const callsInTurn = 20

/**
 * An hour of real events, through the stream of a real daemon, as fast as they
 * come. Both pages follow all of it.
 */
export async function measureMemory(
  browser: Browser,
  daemon: TestDaemon,
): Promise<MemoryFigures> {
  const { client } = daemon
  const { id: sessionId } = await client.createSession({ agent: 'helper' })
  let turns = 0
  daemon.script(({ messages }) => {
    if (messages.at(-1)?.role === 'tool') {
      return { text: 'word '.repeat(wordsInTurn) }
    }
    const calls = Array.from({ length: callsInTurn }, (_, at) => ({
      id: `call-${turns}-${at}`,
      tool: 'glob',
      args: { pattern: `none-${at}` },
    }))
    return { text: 'I look.', calls }
  })
  const heard = countEvents(client, sessionId)
  const take = async () => {
    turns++
    await client.send({ sessionId, input: `Number ${turns}.`, wait: true })
  }
  const paths = {
    session: hrefOf('session', { sessionId }),
    runs: hrefOf('runs', { session: sessionId }),
  }
  const opened = await Promise.all(
    Object.entries(paths).map(async ([view, path]) => {
      const { page } = await openInspector(browser, daemon, { path })
      return { view, page, heapMb: [] as number[], nodes: [] as number[] }
    }),
  )
  const [session] = opened
  const look = async () => {
    // Whatever was told is drawn, or it would not be counted.
    const last = session?.page.getByRole('region', { name: `Turn ${turns}` })
    await last?.waitFor()
    for (const { page, heapMb, nodes } of opened) {
      const held = await heldBy(page)
      heapMb.push(held.heapMb)
      nodes.push(held.nodes)
    }
  }
  try {
    while (turns < turnsBefore) await take()
    await look()
    const from = heard.count
    const startedMs = performance.now()
    const passedMs = () => performance.now() - startedMs
    for (const part of [1, 2]) {
      const goal = from + (eventsOfAnHour / 2) * part
      const endMs = (mostMs / 2) * part
      while (heard.count < goal && passedMs() < endMs) await take()
      await look()
    }
    const seconds = passedMs() / 1_000
    const pages = opened.map(({ view, heapMb, nodes }) => {
      return { view, heapMb, nodes }
    })
    return { events: heard.count - from, seconds, pages }
  } finally {
    heard.stop()
    for (const { page } of opened) await page.context().close()
  }
}

/** As the page of the session hears of them. */
function countEvents(client: TestDaemon['client'], sessionId: string) {
  const ended = new AbortController()
  const heard = { count: 0, stop: () => ended.abort() }
  const read = async () => {
    const { signal } = ended
    for await (const item of client.watchSession({ sessionId }, { signal })) {
      if (item.type === 'event') heard.count++
    }
  }
  read().catch((error: unknown) => {
    if (!ended.signal.aborted) throw error
  })
  return heard
}

interface Held {
  readonly heapMb: number
  readonly nodes: number
}

const settleMs = 500
const looks = 20

/** Once all that was told is taken in, and nothing is left that nobody needs. */
async function heldBy(page: Page): Promise<Held> {
  const devtools = await page.context().newCDPSession(page)
  const look = async (): Promise<Held> => {
    await devtools.send('HeapProfiler.collectGarbage')
    const { usedSize } = await devtools.send('Runtime.getHeapUsage')
    const { nodes } = await devtools.send('Memory.getDOMCounters')
    return { heapMb: usedSize / 1_000_000, nodes }
  }
  let last = await look()
  for (let time = 0; time < looks; time++) {
    await page.waitForTimeout(settleMs)
    const next = await look()
    const isStill = Math.abs(next.heapMb - last.heapMb) < 0.02
    last = next
    if (isStill && time > 1) break
  }
  await devtools.detach()
  return last
}
