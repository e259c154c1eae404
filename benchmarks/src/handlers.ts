// Times what it costs to ask handlers of every kind. README.md says how to read
// the output; its last line is for programs.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import {
  createHandlers,
  type Envelope,
  type Handler,
  type HandlerDefinition,
} from '@hookline/agent/handlers'
import { points } from 'hookline/lifecycle'
import { bareSpawn } from './handlers/bare-spawn.ts'
import { type Language, writePrograms } from './handlers/programs.ts'
import {
  type Timing,
  timeCalls,
  timingOf,
  type Work,
} from './handlers/timing.ts'
import { median } from './summary.ts'

const folder = mkdtempSync(join(tmpdir(), 'hookline-bench-'))
const handlers = createHandlers({
  builtins: [
    {
      name: 'proceed',
      points: ['tool.guard'],
      optionsSchema: { type: 'object' },
      create: () => () => ({ type: 'proceed' }),
    },
  ],
})
const server = createServer((request, response) => {
  request.resume()
  request.on('end', () => {
    response.setHeader('content-type', 'application/json')
    const run = request.headers['hookline-run']
    response.end(JSON.stringify({ type: 'proceed', run }))
  })
})
await new Promise<void>((resolve) => {
  server.listen(0, '127.0.0.1', resolve)
})
const address = server.address()
const port = typeof address === 'object' ? address?.port : undefined

const envelope: Envelope = {
  protocol: 'hookline/1',
  point: 'tool.guard',
  hook: 'bench',
  run: 'r0',
  deadlineMs: 30_000,
  scope: { agent: 'main', origin: 'user', coreType: 'loop', cwd: folder },
  input: {
    id: 'call-1',
    tool: 'shell',
    args: { command: 'git status --short' },
  },
}
let calls = 0

async function open(definition: HandlerDefinition): Promise<Handler> {
  const point = points['tool.guard']
  const hook = { on: point.name, handler: definition }
  const { handler } = await handlers.open(hook, { point, folder })
  return handler
}

function ask(handler: Handler): Work {
  const { signal } = new AbortController()
  return async () => {
    const { text } = await handler.ask({
      envelope: { ...envelope, run: `r${++calls}` },
      signal,
      remainingMs: () => 30_000,
      diagnose: (code, message) => console.error(code, message),
      callModel: () => Promise.reject(new Error('There is no model.')),
    })
    if (!text.includes('"proceed"')) throw new Error(`It said: ${text}`)
  }
}

const show = (name: string, { p50, p99 }: Timing, note = '') => {
  const ms = (value: number) => value.toFixed(value < 1 ? 3 : 1).padStart(8)
  console.log(`${name.padEnd(34)}${ms(p50)}${ms(p99)}  ${note}`)
}

/** Ours and a bare spawn, in turn, so that both see the same machine. */
async function compareSpawn(argv: readonly string[]) {
  const input = `${JSON.stringify(envelope)}\n`
  const ours = ask(await open({ type: 'command', argv: [...argv] }))
  const bare: Work = () => bareSpawn(argv, input)
  const times: { ours: number[]; bare: number[] } = { ours: [], bare: [] }
  const differences: number[] = []
  for (let round = 0; round < 45; round++) {
    const [first = 0] = await timeCalls(bare, { count: 1, concurrency: 1 })
    const [second = 0] = await timeCalls(ours, { count: 1, concurrency: 1 })
    // The first rounds warm up.
    if (round < 5) continue
    times.bare.push(first)
    times.ours.push(second)
    differences.push(second - first)
  }
  return { times, overhead: median(differences), work: ours }
}

try {
  console.log(
    `${'milliseconds'.padEnd(34)}${'p50'.padStart(8)}${'p99'.padStart(8)}`,
  )
  const overheads: number[] = []
  const speedups: Partial<Record<Language, number>> = {}
  for (const { language, once, resident, framing } of writePrograms(folder)) {
    const { times, overhead, work } = await compareSpawn(once)
    const spawned = timingOf(times.ours)
    overheads.push(overhead)
    show(`${language}, bare spawn`, timingOf(times.bare))
    show(`${language}, spawned`, spawned, `+${overhead.toFixed(2)} over bare`)
    const many = { count: 160, concurrency: 16 }
    show(
      `${language}, spawned, 16 at once`,
      timingOf(await timeCalls(work, many)),
    )
    const kept = ask(
      await open({
        type: 'command',
        argv: [...resident],
        mode: 'resident',
        framing,
      }),
    )
    await timeCalls(kept, { count: 500, concurrency: 1 })
    const one = timingOf(
      await timeCalls(kept, { count: 2_000, concurrency: 1 }),
    )
    const speedup = spawned.p50 / one.p50
    speedups[language] = Math.round(speedup)
    show(
      `${language}, resident`,
      one,
      `${Math.round(speedup)} times as fast as spawned`,
    )
    const busy = { count: 4_000, concurrency: 16 }
    show(
      `${language}, resident, 16 at once`,
      timingOf(await timeCalls(kept, busy)),
    )
  }
  writeFileSync(
    join(folder, 'module.mjs'),
    "export const run = () => ({ type: 'proceed' })\n",
  )
  const others: readonly [string, HandlerDefinition][] = [
    [
      'http',
      { type: 'http', url: `http://127.0.0.1:${port}/`, allowPrivate: true },
    ],
    ['module, in a thread', { type: 'module', file: 'module.mjs' }],
    [
      'module, in the process',
      { type: 'module', file: 'module.mjs', isolation: 'process-wide' },
    ],
    ['builtin', { type: 'builtin', name: 'proceed' }],
  ]
  for (const [name, definition] of others) {
    const work = ask(await open(definition))
    await timeCalls(work, { count: 500, concurrency: 1 })
    show(
      name,
      timingOf(await timeCalls(work, { count: 2_000, concurrency: 1 })),
    )
    const many = { count: 4_000, concurrency: 16 }
    show(`${name}, 16 at once`, timingOf(await timeCalls(work, many)))
  }
  const spawnOverheadMs = Number(Math.max(...overheads).toFixed(2))
  console.log(
    `\n${JSON.stringify({ spawnOverheadMs, residentSpeedup: speedups })}`,
  )
} finally {
  await handlers.close()
  server.close()
  server.closeAllConnections()
  rmSync(folder, { recursive: true, force: true })
}
