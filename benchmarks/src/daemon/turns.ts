import { createModelRegistry } from '@hookline/agent'
import { scriptedModel } from '@hookline/agent/testing'
import { startDaemon } from '@hookline/daemon'
import { createClient } from '@hookline/daemon/client'
import { makePlace, runDaemon } from './place.ts'

export interface TurnFigures {
  /** Milliseconds a turn, at the median. */
  readonly inProcess: number
  readonly throughHttp: number
  /** What the one has over the other within a round, at the median of rounds. */
  readonly overhead: number
  readonly perSecond: {
    readonly inProcess: number
    readonly throughHttp: number
  }
}

const warmUp = 10
const rounds = 40
const turnsEach = 12

/** The same turns here and through the protocol, round by round. */
export async function measureTurns(): Promise<TurnFigures> {
  const here = makePlace()
  const there = makePlace()
  const model = scriptedModel([{ text: 'Done.', chunks: 1 }], { loop: true })
  const own = await startDaemon({
    ...here,
    isEmbedded: true,
    values: [
      {
        agents: [{ name: 'main', model: 'bench/script' }],
        plugins: {},
        daemon: { logLevel: 'error' },
      },
    ],
    models: createModelRegistry({ models: { 'bench/script': model } }),
  })
  const daemon = await runDaemon(there)
  const client = createClient(daemon)
  try {
    const { runtime } = own.workspace
    const takeHere = async () => {
      // A new one for each round: a long conversation makes turns dearer.
      const place = { agent: 'main', cwd: here.root }
      const session = await runtime.openSession(place)
      return await time(async () => void (await session.send('Go.').result))
    }
    const takeThere = async () => {
      const { id: sessionId } = await client.createSession({})
      const turn = { sessionId, input: 'Go.', wait: true } as const
      return await time(async () => void (await client.send(turn)))
    }
    const inProcess: number[] = []
    const throughHttp: number[] = []
    const overheads: number[] = []
    for (let round = -warmUp; round < rounds; round++) {
      const before = await takeHere()
      const through = await takeThere()
      if (round < 0) continue
      inProcess.push(...before)
      throughHttp.push(...through)
      overheads.push(median(through) - median(before))
    }
    return {
      inProcess: median(inProcess),
      throughHttp: median(throughHttp),
      overhead: median(overheads),
      perSecond: { inProcess: rate(inProcess), throughHttp: rate(throughHttp) },
    }
  } finally {
    client.close()
    await daemon.close()
    await own.close({ graceMs: 0 })
    here.remove()
    there.remove()
  }
}

async function time(work: () => Promise<void>): Promise<number[]> {
  const times: number[] = []
  for (let index = 0; index < turnsEach; index++) {
    const start = performance.now()
    await work()
    times.push(performance.now() - start)
  }
  return times
}

function rate(times: readonly number[]): number {
  const total = times.reduce((sum, one) => sum + one, 0)
  return (1_000 * times.length) / total
}

export function median(times: readonly number[]): number {
  const sorted = times.toSorted((one, other) => one - other)
  return sorted[Math.floor(sorted.length / 2)] ?? 0
}
