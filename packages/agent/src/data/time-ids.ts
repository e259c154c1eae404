import type { Clock } from 'hookline'

const randomLength = 6

/** Ids that sort by the time they were made at, and differ between processes. */
export function createTimeIds(clock: Clock): () => string {
  const random = Math.random()
    .toString(36)
    .slice(2, 2 + randomLength)
    .padEnd(randomLength, '0')
  let lastMs = 0
  let count = 0
  let prefix = ''
  return () => {
    const now = Math.floor(clock.wallAt(clock.now()))
    if (now > lastMs) {
      lastMs = now
      count = 0
      prefix = `${lastMs.toString(36).padStart(9, '0')}${random}`
    }
    return `${prefix}${(count++).toString(36).padStart(3, '0')}`
  }
}
