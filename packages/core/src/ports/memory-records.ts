import type { HookRecord, RecordSink } from '../engine/index.ts'

/** Keeps the newest records in memory. */
export interface MemoryRecords extends RecordSink {
  /** Oldest first. */
  all(): readonly HookRecord[]
}

export function createMemoryRecords(capacity = 256): MemoryRecords {
  const ring: HookRecord[] = []
  let next = 0
  return {
    end(record) {
      if (capacity < 1) return
      if (ring.length < capacity) ring.push(record)
      else ring[next] = record
      next = (next + 1) % capacity
    },
    all: () => [...ring.slice(next), ...ring.slice(0, next)],
  }
}
