import { GCProfiler } from 'node:v8'
import type { Candidate } from '../measure.ts'

const wantedBytes = 20e6

/**
 * The bytes that one turn allocates: by how much the heap has grown, and what
 * the collector has taken from it meanwhile.
 */
export async function allocatedPerTurn(candidate: Candidate): Promise<number> {
  const once = await allocate(candidate, 3)
  const times = Math.min(500, Math.ceil(wantedBytes / once))
  return allocate(candidate, times)
}

async function allocate(candidate: Candidate, times: number): Promise<number> {
  const profiler = new GCProfiler()
  profiler.start()
  const before = process.memoryUsage().heapUsed
  await candidate.run(times)
  const grown = process.memoryUsage().heapUsed - before
  const { statistics } = profiler.stop()
  candidate.check(times)
  const freed = statistics.map(
    ({ beforeGC, afterGC }) =>
      beforeGC.heapStatistics.usedHeapSize -
      afterGC.heapStatistics.usedHeapSize,
  )
  return (grown + freed.reduce((sum, bytes) => sum + bytes, 0)) / times
}
