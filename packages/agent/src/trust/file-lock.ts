import { readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { setTimeout as wait } from 'node:timers/promises'
import { TrustError } from './trust-error.ts'

export interface FileLockOptions {
  /** How long to wait for others; default 5 s. */
  readonly waitMs?: number
}

/** Nobody has it for so long, whatever they do. */
const longestMs = 60_000
/** So long after its owner has died, it is taken to be left over. */
const deadMs = 2_000

/** Does something while no other process does. The lock is a file. */
export async function withFileLock<T>(
  path: string,
  work: () => T,
  { waitMs = 5_000 }: FileLockOptions = {},
): Promise<T> {
  const endMs = performance.now() + waitMs
  while (!tryTake(path)) {
    if (isLeftOver(path)) dropLeftOver(path)
    else if (performance.now() > endMs) {
      const message = `Another process has "${path}" open; try again, or remove that file if there is none.`
      throw new TrustError('locked-store', message)
    } else await wait(5 + Math.random() * 20)
  }
  try {
    return work()
  } finally {
    rmSync(path, { force: true })
  }
}

function tryTake(path: string): boolean {
  try {
    writeFileSync(path, String(process.pid), { flag: 'wx', mode: 0o600 })
    return true
  } catch (error) {
    if (Object(error).code === 'EEXIST') return false
    const message = `"${path}" cannot be written; check who owns its folder.`
    throw new TrustError('unwritable-store', message, error)
  }
}

function isLeftOver(path: string): boolean {
  try {
    const ageMs = Date.now() - statSync(path).mtimeMs
    if (ageMs > longestMs) return true
    // A process of another machine or container may not be seen from here.
    return ageMs > deadMs && !isAlive(Number(readFileSync(path, 'utf8')))
  } catch {
    // It has just been given back.
    return false
  }
}

/** One at a time, so that nobody removes the lock of whoever came next. */
function dropLeftOver(path: string): void {
  const guard = `${path}.break`
  if (!tryTake(guard)) {
    if (isLeftOver(guard)) rmSync(guard, { force: true })
    return
  }
  try {
    if (isLeftOver(path)) rmSync(path, { force: true })
  } finally {
    rmSync(guard, { force: true })
  }
}

function isAlive(pid: number): boolean {
  if (!Number.isSafeInteger(pid) || pid <= 0) return false
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    // It lives, and is somebody else's.
    return Object(error).code === 'EPERM'
  }
}
