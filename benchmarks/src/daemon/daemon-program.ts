// A daemon by itself, to be measured from outside: its arguments are the folder
// of its project and its state directory. What it finds out about itself it
// says when it is asked.
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { createModelRegistry } from '@hookline/agent'
import { scriptedModel } from '@hookline/agent/testing'
import { startDaemon } from '@hookline/daemon'
import type { Question } from './place.ts'

const [root = '', home = '', user = ''] = process.argv.slice(2)
const model = scriptedModel([{ text: 'Done.', chunks: 1 }], { loop: true })
const daemon = await startDaemon({
  root,
  home,
  user,
  values: [
    {
      agents: [{ name: 'main', model: 'bench/script' }],
      plugins: {},
      daemon: {
        logLevel: 'error',
        limits: {
          maxConnections: 20_000,
          maxStreamsPerCaller: 20_000,
          maxRequestsPerMinute: 6_000_000,
        },
      },
    },
  ],
  models: createModelRegistry({ models: { 'bench/script': model } }),
  onShutdown: () => void daemon.close({ graceMs: 0 }),
})

setFlagsFromString('--expose-gc')
// The flag alone gives the function to contexts that come after it.
const collect: () => void = runInNewContext('gc')

let longestMs = 0
let isWatching = false

/**
 * How long others had to wait for their turn: in time that this thread worked,
 * which a busy machine does not make longer.
 */
function watch(): void {
  longestMs = 0
  isWatching = true
  let last = workedMs()
  const look = () => {
    const now = workedMs()
    longestMs = Math.max(longestMs, now - last)
    last = now
    if (isWatching) setImmediate(look)
  }
  setImmediate(look)
}

function workedMs(): number {
  const { user, system } = process.threadCpuUsage()
  return (user + system) / 1_000
}

const answers: Record<Question, () => number> = {
  watch() {
    watch()
    return 0
  },
  'longest-ms'() {
    isWatching = false
    return longestMs
  },
  'memory-bytes'() {
    collect()
    collect()
    return process.memoryUsage.rss()
  },
}

// Only the program that started it can send anything.
process.on('message', (question: Question) => {
  process.send?.(answers[question]())
})
process.send?.(daemon.addresses.socket)
