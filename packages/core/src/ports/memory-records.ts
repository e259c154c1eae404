import type { EndedRun, HookRecord, RecordSink } from '../engine/index.ts'

/** Keeps the newest runs in memory; their records are written when read. */
export interface MemoryRecords extends RecordSink {
  /** Oldest first. */
  all(): readonly HookRecord[]
}

export function createMemoryRecords(capacity = 256): MemoryRecords {
  const ring: EndedRun[] = []
  let next = 0
  return {
    end(run) {
      if (capacity < 1) return
      if (ring.length < capacity) ring.push(run)
      else ring[next] = run
      next = (next + 1) % capacity
    },
    all: () =>
      [...ring.slice(next), ...ring.slice(0, next)].map(({ record }) => record),
  }
}
