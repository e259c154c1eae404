import { createHash } from 'node:crypto'
import { OsError } from './os-error.ts'

const maxFiles = 10_000

/** What of each file a session has seen, so that it changes nothing unseen. */
export class SeenFiles {
  readonly #sessions = new Map<string, Map<string, string>>()

  note(sessionId: string, path: string, content: Buffer): void {
    const files = this.#sessions.get(sessionId) ?? new Map<string, string>()
    this.#sessions.set(sessionId, files)
    files.delete(path)
    files.set(path, hashOf(content))
    const [oldest] = files.keys()
    if (files.size > maxFiles && oldest !== undefined) files.delete(oldest)
  }

  /** Throws if the session has not seen the file as it is now. */
  check(sessionId: string, path: string, content: Buffer): void {
    const seen = this.#sessions.get(sessionId)?.get(path)
    if (seen === undefined) {
      throw new OsError(`Read "${path}" first: you have not seen it yet.`)
    }
    if (seen === hashOf(content)) return
    throw new OsError(`"${path}" has changed since you read it. Read it again.`)
  }

  forget(sessionId: string): void {
    this.#sessions.delete(sessionId)
  }
}

function hashOf(content: Buffer): string {
  return createHash('sha256').update(content).digest('base64')
}
