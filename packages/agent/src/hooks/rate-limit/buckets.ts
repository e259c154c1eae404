interface Bucket {
  /** How many calls have room now; below zero: how many wait. */
  readonly room: number
  /** When that was, by wall time. */
  readonly at: number
}

export type Buckets = Readonly<Record<string, Bucket>>

export interface Rate {
  readonly msPerCall: number
  readonly burst: number
  /** How long a call may wait. */
  readonly waitMs: number
}

/** What came of asking a bucket for room. */
export interface Taken {
  readonly buckets: Buckets
  /** When there is room, from now on. */
  readonly waitMs: number
  /** False: that is too long, and nothing was taken. */
  readonly hasPassed: boolean
}

// Each has three keys, and a cell 10 000.
const maxBuckets = 3_000

/** Takes the room of one call, also of one that has to wait for it. */
export function take(
  before: Buckets,
  key: string,
  rate: Rate,
  now: number,
): Taken {
  const buckets = withoutFull(before, rate, now)
  const room = roomAt(buckets, key, rate, now) - 1
  const waitMs = Math.max(0, -room * rate.msPerCall)
  const hasPassed = waitMs <= rate.waitMs
  const after = { ...buckets, [key]: { room, at: now } }
  return { waitMs, hasPassed, buckets: hasPassed ? after : buckets }
}

/** Gives back what a call took that was not made after all. */
export function giveBack(buckets: Buckets, key: string): Buckets {
  const bucket = Object.hasOwn(buckets, key) ? buckets[key] : undefined
  if (bucket === undefined) return buckets
  return { ...buckets, [key]: { ...bucket, room: bucket.room + 1 } }
}

function roomAt(
  buckets: Buckets,
  key: string,
  { msPerCall, burst }: Rate,
  now: number,
): number {
  const bucket = Object.hasOwn(buckets, key) ? buckets[key] : undefined
  if (bucket === undefined) return burst
  // A clock that was set back must not empty it.
  const elapsed = Math.max(0, now - bucket.at)
  return Math.min(burst, bucket.room + elapsed / msPerCall)
}

/** A bucket that is full is as good as none. Too many of them are an error. */
function withoutFull(buckets: Buckets, rate: Rate, now: number): Buckets {
  const keys = Object.keys(buckets)
  if (keys.length < maxBuckets) return buckets
  const used = Object.entries(buckets).filter(
    ([key]) => roomAt(buckets, key, rate, now) < rate.burst,
  )
  if (used.length < maxBuckets) return Object.fromEntries(used)
  throw new Error('Too many have called of late to count them one by one.')
}
