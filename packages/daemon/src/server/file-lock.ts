import { randomBytes } from 'node:crypto'
import { linkSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { setTimeout as wait } from 'node:timers/promises'
import { HomeError } from './home-error.ts'
import { isRunning, markOfThisProcess, pidOf } from './process-mark.ts'

export interface FileLock {
  /** Gives it back; once is enough. */
  release(): void
}

export type LockTry =
  | { readonly type: 'taken'; readonly lock: FileLock }
  | { readonly type: 'held'; readonly pid: number | undefined }

/**
 * Takes a lock that one process can have at a time: a file that names it. One
 * that a process left behind when it died is taken over.
 */
export function tryLock(path: string): LockTry {
  if (create(path)) return { type: 'taken', lock: lockAt(path) }
  dropLeftOver(path)
  if (create(path)) return { type: 'taken', lock: lockAt(path) }
  return { type: 'held', pid: pidOf(markIn(path) ?? '') }
}

/** The process that has a lock now; undefined: none that runs here. */
export function holderOf(path: string): number | undefined {
  const mark = markIn(path)
  return mark !== undefined && isRunning(mark) ? pidOf(mark) : undefined
}

/** Does something while no other process does. */
export async function withLock<T>(
  path: string,
  work: () => T,
  waitMs = 5_000,
): Promise<T> {
  const endMs = performance.now() + waitMs
  for (;;) {
    const tried = tryLock(path)
    if (tried.type === 'taken') {
      try {
        return work()
      } finally {
        tried.lock.release()
      }
    }
    if (performance.now() > endMs) {
      const message = `Process ${tried.pid ?? '(unknown)'} has had "${path}" for too long; end it, or remove that file if there is none.`
      throw new HomeError('locked-home', message, { pid: tried.pid })
    }
    await wait(5 + Math.random() * 20)
  }
}

function lockAt(path: string): FileLock {
  const own = markIn(path)
  return {
    release() {
      // What somebody else has taken since is theirs.
      if (own !== undefined && markIn(path) === own)
        rmSync(path, { force: true })
    },
  }
}

/** Of all who try, one succeeds, and nobody finds a file half written. */
function create(path: string): boolean {
  const draft = `${path}.${process.pid}.${randomBytes(6).toString('hex')}`
  try {
    writeFileSync(draft, `${markOfThisProcess()}\n`, {
      flag: 'wx',
      mode: 0o600,
    })
    linkSync(draft, path)
    return true
  } catch (error) {
    if (Object(error).code === 'EEXIST') return false
    const message = `"${path}" cannot be written; check who owns its folder and that its disk has room.`
    throw new HomeError('unwritable-home', message, { cause: error })
  } finally {
    rmSync(draft, { force: true })
  }
}

/** One at a time, so that nobody removes the lock of whoever came next. */
function dropLeftOver(path: string): void {
  if (!isLeftOver(path)) return
  const guard = `${path}.break`
  if (!create(guard)) {
    if (isLeftOver(guard)) rmSync(guard, { force: true })
    return
  }
  try {
    if (isLeftOver(path)) rmSync(path, { force: true })
  } finally {
    rmSync(guard, { force: true })
  }
}

function isLeftOver(path: string): boolean {
  const mark = markIn(path)
  return mark !== undefined && !isRunning(mark)
}

function markIn(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8').trim()
  } catch {
    // It has just been given back.
    return undefined
  }
}
