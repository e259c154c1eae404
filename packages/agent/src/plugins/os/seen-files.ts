import { createHash } from 'node:crypto'
import { OsError } from './os-error.ts'

const maxFiles = 10_000
// Sessions that are only let go of never end here, and there is no end of them.
const maxSessions = 1_000
const maxFilesInAll = 100_000

/**
 * What of each file a session has seen, so that it changes nothing unseen. Of
 * too many sessions those that worked longest ago have to read again.
 */
export class SeenFiles {
  readonly #sessions = new Map<string, Map<string, string>>()
  #count = 0

  note(sessionId: string, path: string, content: Buffer): void {
    const files = this.#filesOf(sessionId) ?? new Map<string, string>()
    this.#sessions.set(sessionId, files)
    this.#count -= files.size
    files.delete(path)
    files.set(path, hashOf(content))
    const [oldest] = files.keys()
    if (files.size > maxFiles && oldest !== undefined) files.delete(oldest)
    this.#count += files.size
    this.#forgetOldest()
  }

  /** Throws if the session has not seen the file as it is now. */
  check(sessionId: string, path: string, content: Buffer): void {
    const seen = this.#filesOf(sessionId)?.get(path)
    if (seen === undefined) {
      throw new OsError(`Read "${path}" first: you have not seen it yet.`)
    }
    if (seen === hashOf(content)) return
    throw new OsError(`"${path}" has changed since you read it. Read it again.`)
  }

  forget(sessionId: string): void {
    this.#count -= this.#sessions.get(sessionId)?.size ?? 0
    this.#sessions.delete(sessionId)
  }

  /** Those of a session that is at work, and so is the newest. */
  #filesOf(sessionId: string): Map<string, string> | undefined {
    const files = this.#sessions.get(sessionId)
    if (files === undefined) return undefined
    this.#sessions.delete(sessionId)
    this.#sessions.set(sessionId, files)
    return files
  }

  #forgetOldest(): void {
    for (const sessionId of this.#sessions.keys()) {
      const isFull = this.#sessions.size > maxSessions
      if (!isFull && this.#count <= maxFilesInAll) return
      this.forget(sessionId)
    }
  }
}

function hashOf(content: Buffer): string {
  return createHash('sha256').update(content).digest('base64')
}
