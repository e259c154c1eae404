import { readlinkSync } from 'node:fs'
import { hostname } from 'node:os'
import type { Dialect } from './database.ts'
import { birthOf } from './process-birth.ts'

/**
 * Which process this is, so that others on the same machine can tell whether
 * it still lives, and whoever starts again need not wait for a lease to run out.
 */
export function processName(): string {
  const { pid } = process
  const birth = birthOf(pid)
  const since = birth === undefined ? [] : [birth.startedAt, birth.boot]
  return [placeOf(), pid, ...since].join(' ')
}

/** From where one looks at others. */
export interface Here {
  readonly place: string
  /** Absent where the machine does not tell. */
  readonly boot: string | undefined
  readonly dialect: Dialect
}

export function hereIn(dialect: Dialect): Here {
  return { place: placeOf(), boot: birthOf(process.pid)?.boot, dialect }
}

/** Whether it is certain that a process was one of here, and is no more. */
export function isGone(name: string, { place, boot, dialect }: Here): boolean {
  if (!name.startsWith(`${place} `)) return false
  const [number, ...since] = name.slice(place.length + 1).split(' ')
  const pid = Number(number)
  if (!Number.isSafeInteger(pid) || pid <= 0) return false
  // Machines may share a name, and then a Postgres; a file is on one of them.
  if (since[1] !== boot) return false
  if (boot === undefined) return dialect === 'sqlite' && !isThere(pid)
  if (!isThere(pid)) return true
  // Its number may be another's by now.
  const birth = birthOf(pid)
  return birth !== undefined && birth.startedAt !== since[0]
}

/** The processes that this one can see; in a container they are others. */
function placeOf(): string {
  try {
    return `${hostname()} ${readlinkSync('/proc/self/ns/pid')}`
  } catch {
    return `${hostname()} ${process.platform}`
  }
}

function isThere(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    // One that belongs to somebody else is there, too.
    return (error as NodeJS.ErrnoException).code !== 'ESRCH'
  }
}
