import { readFileSync } from 'node:fs'

/** So many are kept for the store, for hooks and for tools. */
const reserved = 256

/** How many files this process may have open; Infinity where nobody says. */
function openFilesLimit(): number {
  try {
    const limits = readFileSync('/proc/self/limits', 'utf8')
    const [, soft] = /^Max open files\s+(\d+)/m.exec(limits) ?? []
    return soft === undefined ? Infinity : Number(soft)
  } catch {
    // Another system than Linux.
    return Infinity
  }
}

/**
 * How many connections each of two listeners may have, so that whoever connects
 * never takes the last file: without any, no hook could start.
 */
export function connectionsWithin(limit: number = openFilesLimit()): number {
  const left = limit - Math.min(reserved, limit / 2)
  return Math.max(1, Math.floor(left / 2))
}
