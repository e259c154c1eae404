import { appendFileSync } from 'node:fs'
import { workerData } from 'node:worker_threads'
import { stalledLine } from './stalled-line.ts'
import type { WatchdogData } from './watchdog.ts'

// Whoever started it gave just that.
const { beats, path, tickMs, ticks } = workerData as WatchdogData
const never = new Int32Array(new SharedArrayBuffer(4))

/** Counts its own ticks, and no time: a process that was stopped has not hung. */
let stillFor = 0
let last = -1
for (;;) {
  Atomics.wait(never, 0, 0, tickMs)
  const now = Atomics.load(beats, 0)
  const isRunning = Atomics.load(beats, 1) > 0
  stillFor = isRunning && now === last ? stillFor + 1 : 0
  last = now
  if (stillFor >= ticks) {
    try {
      appendFileSync(path, stalledLine)
    } finally {
      process.kill(process.pid, 'SIGKILL')
    }
  }
}
