import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { setTimeout as wait } from 'node:timers/promises'
import { createClient } from '@hookline/daemon/client'
import { makePlace, type RunningDaemon, runDaemon } from './place.ts'

export interface StreamFigures {
  readonly streams: number
  readonly kbPerStream: number
  /** Of the daemon's loop, at worst: while it told all of them, and otherwise. */
  readonly maxLoopBlockMs: number
  readonly openBlockMs: number
  readonly closeBlockMs: number
  /** How much each of them was told. */
  readonly itemsEach: number
  readonly itemsPerSecond: number
}

const turns = 20
const warmUp = 400
/** A queue of connections has an end. */
const openAtOnce = 100

/** So many that watch everything, and what that costs the daemon. */
export async function measureStreams(count: number): Promise<StreamFigures> {
  const place = makePlace()
  const daemon = await runDaemon(place)
  const client = createClient(daemon)
  const take = async (sessionId: string, times: number) => {
    for (let turn = 0; turn < times; turn++) {
      await client.send({ sessionId, input: 'Go.', wait: true })
    }
  }
  let watchers: Watcher[] = []
  const closeAll = async () => {
    await Promise.all(watchers.map((one) => one.close()))
    watchers = []
    while ((await client.info()).counts.streams > 0) await wait(5)
  }
  try {
    const { id: sessionId } = await client.createSession({})
    // What is compiled, and memory that a process gets once, is nobody's cost.
    watchers = await openMany(daemon, warmUp)
    await take(sessionId, 5)
    await allTold(watchers, 5)
    await closeAll()
    const before = await daemon.ask('memory-bytes')
    await daemon.ask('watch')
    watchers = await openMany(daemon, count)
    const openBlockMs = await daemon.ask('longest-ms')
    const after = await daemon.ask('memory-bytes')
    await daemon.ask('watch')
    const startedMs = performance.now()
    await take(sessionId, turns)
    await allTold(watchers, turns)
    const tookMs = performance.now() - startedMs
    const maxLoopBlockMs = await daemon.ask('longest-ms')
    const items = watchers.reduce((sum, one) => sum + one.items, 0)
    await daemon.ask('watch')
    await closeAll()
    return {
      streams: count,
      kbPerStream: (after - before) / 1_024 / count,
      maxLoopBlockMs,
      openBlockMs,
      closeBlockMs: await daemon.ask('longest-ms'),
      itemsEach: items / count,
      itemsPerSecond: (1_000 * items) / tookMs,
    }
  } finally {
    for (const one of watchers) void one.close()
    client.close()
    await daemon.close()
    place.remove()
  }
}

async function openMany(
  daemon: RunningDaemon,
  count: number,
): Promise<Watcher[]> {
  const all: Watcher[] = []
  while (all.length < count) {
    const some = Array.from(
      { length: Math.min(openAtOnce, count - all.length) },
      () => new Watcher(daemon),
    )
    await Promise.all(some.map((one) => one.open))
    all.push(...some)
  }
  return all
}

/** Resolves when each of them has heard that so many turns have ended. */
async function allTold(all: readonly Watcher[], count: number): Promise<void> {
  while (all.some((one) => one.ends < count)) await wait(5)
}

/** Somebody who watches everything, as cheaply as can be. */
class Watcher {
  readonly open: Promise<void>
  readonly #socket: Socket
  #rest = ''
  /** How much it was told, and how many ends of turns are among that. */
  items = 0
  ends = 0

  constructor({ socket, token }: RunningDaemon) {
    this.#socket = connect(socket)
    this.#socket.setEncoding('latin1').on('error', () => {})
    this.#socket.write(
      `GET /v1/events HTTP/1.1\r\nhost: localhost\r\nauthorization: Bearer ${token}\r\n\r\n`,
    )
    this.open = once(this.#socket, 'data').then(([answer]) => {
      if (String(answer).startsWith('HTTP/1.1 200 ')) return
      throw new Error(`A stream was refused: ${answer}`)
    })
    this.#socket.on('data', (text: unknown) => this.#take(String(text)))
  }

  async close(): Promise<void> {
    if (this.#socket.closed) return
    const closed = once(this.#socket, 'close')
    this.#socket.destroy()
    await closed
  }

  #take(text: string): void {
    const all = this.#rest + text
    const end = all.lastIndexOf('\n') + 1
    this.#rest = all.slice(end)
    for (let at = 0; at < end; at = all.indexOf('\n', at) + 1) {
      if (!all.startsWith('data:', at)) continue
      this.items++
      const line = all.slice(at, all.indexOf('\n', at))
      if (line.includes('"type":"turn-end"')) this.ends++
    }
  }
}
