import { AgentError } from '../../ports/agent-error.ts'
import type {
  JournalEntry,
  SessionInfo,
  SessionStore,
  StoredSession,
} from '../../ports/store.ts'
import { checkSessionId } from '../check-session-id.ts'
import type { ContentLevel } from '../content/content-level.ts'
import type { Row } from '../database.ts'
import type { StoreParts } from '../parts.ts'
import { StoreError } from '../store-error.ts'
import type { WorkerLease } from '../workers.ts'
import { appendUnit, titleUnit } from './append-unit.ts'
import { deleteRemains, deleteSession } from './delete-session.ts'
import { HeldSession } from './held-session.ts'
import { saveSnapshot } from './save-snapshot.ts'
import { infoText } from './session-info.ts'
import { isTitled, shownTitle } from './session-title.ts'
import {
  insertSession,
  listChildren,
  readSession,
  settleTurn,
} from './statements.ts'
import { giveBack, type TakenSession, takeSession } from './take-session.ts'

export interface SessionStoreOptions {
  /** What this process has taken is its own as long as it has this. */
  readonly lease: WorkerLease
  /** After how many entries a session is saved as a whole. Default: 200. */
  readonly snapshotEvery?: number
  /** What the journal shows beside its payloads. Default: metadata. */
  readonly content?: ContentLevel
  /** Told when a session could not be saved as a whole: loading takes longer. */
  readonly onSnapshotError?: (error: unknown) => void
}

/** Sessions in a database that several processes may share. */
export interface StoredSessions extends Required<SessionStore> {
  create(session: SessionInfo): Promise<void>
  load(sessionId: string): Promise<StoredSession | undefined>
  append(sessionId: string, entries: readonly JournalEntry[]): Promise<void>
  release(sessionId: string): Promise<void>
  settle(sessionId: string, turnId: string): Promise<void>
  delete(sessionId: string): Promise<void>
  title(sessionId: string, title: string): Promise<string | null>
  /** Where content is not kept, no title is. */
  readonly keepsTitles: boolean
  children(sessionId: string): Promise<readonly string[]>
  /** Settles when nothing is being written any more. */
  drain(): Promise<void>
}

export function createSessionStore(
  parts: StoreParts,
  options: SessionStoreOptions,
): StoredSessions {
  return new DatabaseSessions(parts, options)
}

class DatabaseSessions implements StoredSessions {
  readonly #parts: StoreParts
  readonly #lease: WorkerLease
  readonly #snapshotEvery: number
  readonly #content: ContentLevel
  readonly #onSnapshotError: (error: unknown) => void
  readonly #held = new Map<string, HeldSession>()
  readonly #saving = new Map<HeldSession, Promise<void>>()

  constructor(parts: StoreParts, options: SessionStoreOptions) {
    this.#parts = parts
    this.#lease = options.lease
    this.#snapshotEvery = options.snapshotEvery ?? 200
    this.#content = options.content ?? 'metadata'
    this.#onSnapshotError = options.onSnapshotError ?? (() => {})
  }

  async create(info: SessionInfo): Promise<void> {
    const { id, createdAt } = info
    checkSessionId(id)
    const { database, redactor, worker, payloads } = this.#parts
    const losses = await this.#heldLease()
    const shown = [redactor.text(info.agent), redactor.text(info.cwd)]
    const payload = infoText(info, payloads)
    const parent = info.parent?.sessions.at(-1) ?? null
    const values = [id, ...shown, createdAt, worker, parent, payload]
    const [created] = await database.write({
      name: 'session.create',
      statements: [{ sql: insertSession, values }],
    })
    if (created?.rows[0] === undefined) {
      const message = `There is a session "${id}" already.`
      throw new AgentError('session-exists', message)
    }
    const fence = Number(created.rows[0]['fence'])
    const taken = { info, fence, losses, seq: 0, unsaved: 0 }
    this.#held.set(id, new HeldSession(taken))
  }

  async load(sessionId: string): Promise<StoredSession | undefined> {
    await this.#held.get(sessionId)?.idle
    // Most sessions that are asked for are new.
    if ((await this.#read(sessionId)) === undefined) return undefined
    const losses = await this.#heldLease()
    const taken = await this.#take(sessionId)
    if (taken === undefined) return undefined
    const held = new HeldSession({ ...taken, losses })
    this.#held.set(sessionId, held)
    this.#saveIfDue(held)
    return taken.stored
  }

  async append(
    sessionId: string,
    entries: readonly JournalEntry[],
  ): Promise<void> {
    const held = await this.#ours(sessionId)
    if (entries.length === 0) return
    await held.add(entries, (all) => this.#write(held, all))
  }

  async release(sessionId: string): Promise<void> {
    const held = await this.#quiet(sessionId)
    if (held === undefined) return
    await giveBack(this.#parts, sessionId, held.fence)
  }

  async settle(sessionId: string, turnId: string): Promise<void> {
    const statements = [{ sql: settleTurn, values: [turnId, sessionId] }]
    const unit = { name: 'turn.settle', statements, isPatient: true }
    await this.#parts.database.write(unit)
  }

  async delete(sessionId: string): Promise<void> {
    await this.#quiet(sessionId)
    await deleteSession(this.#parts, sessionId)
  }

  async forget(sessionId: string): Promise<void> {
    await deleteRemains(this.#parts, sessionId)
  }

  get keepsTitles(): boolean {
    return isTitled(this.#content)
  }

  async title(sessionId: string, given: string): Promise<string | null> {
    const held = await this.#ours(sessionId)
    const { database, redactor } = this.#parts
    const title = this.keepsTitles ? shownTitle(given, redactor) : null
    if (title === null) return null
    try {
      await database.write(titleUnit(held, title, this.#parts))
    } catch (error) {
      throw isConflict(error) ? await this.#reasonAgainst(sessionId) : error
    }
    return title
  }

  async children(sessionId: string): Promise<readonly string[]> {
    const statement = { sql: listChildren, values: [sessionId] }
    const rows = await this.#parts.database.read(statement)
    return rows.map(({ id }) => String(id))
  }

  async drain(): Promise<void> {
    await Promise.all([...this.#held.values()].map(({ idle }) => idle))
    await Promise.all(this.#saving.values())
  }

  /** Under which count of losses something can be taken now. */
  async #heldLease(): Promise<number> {
    if (!this.#lease.isHeld) await this.#lease.renew()
    return this.#lease.losses
  }

  /** What this process has of a session; throws if it does not have it. */
  async #ours(sessionId: string): Promise<HeldSession> {
    const held = this.#held.get(sessionId)
    if (held !== undefined && this.#isOurs(held)) return held
    this.#held.delete(sessionId)
    throw await this.#reasonAgainst(sessionId)
  }

  #isOurs({ losses }: HeldSession): boolean {
    return this.#lease.isHeld && this.#lease.losses === losses
  }

  async #read(sessionId: string): Promise<Row | undefined> {
    const statement = { sql: readSession, values: [sessionId] }
    return (await this.#parts.database.read(statement))[0]
  }

  /** Lets go of what this process has of a session, when nothing writes it. */
  async #quiet(sessionId: string): Promise<HeldSession | undefined> {
    const held = this.#held.get(sessionId)
    if (held === undefined) return undefined
    await held.idle
    await this.#saving.get(held)
    this.#forget(held)
    return held
  }

  /** Undefined if it is not there. */
  async #take(sessionId: string): Promise<TakenSession | undefined> {
    try {
      return await takeSession(this.#parts, sessionId)
    } catch (error) {
      if (!isConflict(error)) throw error
      const reason = await this.#reasonAgainst(sessionId)
      if (reason.code === 'unknown-session') return undefined
      throw reason
    }
  }

  async #write(
    held: HeldSession,
    entries: readonly JournalEntry[],
  ): Promise<void> {
    const after = held.seq ?? (await this.#seqOf(held))
    // Until it is known to be written, nobody knows whether it was.
    held.seq = undefined
    const added = { entries, after }
    const kept = { parts: this.#parts, content: this.#content }
    try {
      await this.#parts.database.write(appendUnit(held, added, kept))
    } catch (error) {
      if (!isConflict(error)) throw error
      // If it is still ours, something else was not as it was to be: an
      // approval that has been used, or is none.
      held.seq = await this.#seqOf(held)
      throw error
    }
    if (entries.some(({ type }) => type === 'session-end')) this.#forget(held)
    held.seq = after + entries.length
    held.unsaved += entries.length
    this.#saveIfDue(held)
    // Whoever writes faster than can be saved waits for it.
    const isBehind = held.unsaved > 1.25 * this.#snapshotEvery
    if (isBehind) await this.#saving.get(held)
  }

  /** The last entry of a session, as long as it is ours. */
  async #seqOf(held: HeldSession): Promise<number> {
    const row = await this.#read(held.info.id)
    const isOurs =
      row?.['worker'] === this.#parts.worker &&
      Number(row['fence']) === held.fence
    if (isOurs) return Number(row['seq'])
    this.#forget(held)
    throw await this.#reasonAgainst(held.info.id)
  }

  #forget(held: HeldSession): void {
    const { id } = held.info
    if (this.#held.get(id) === held) this.#held.delete(id)
  }

  async #reasonAgainst(sessionId: string): Promise<AgentError> {
    if ((await this.#read(sessionId)) === undefined) {
      const message = `There is no session "${sessionId}".`
      return new AgentError('unknown-session', message)
    }
    const message = `Session "${sessionId}" is not this process's own, or not any more; load it when nobody else has it.`
    return new AgentError('session-elsewhere', message)
  }

  #saveIfDue(held: HeldSession): void {
    if (held.unsaved < this.#snapshotEvery || this.#saving.has(held)) return
    const saving = saveSnapshot(held, this.#parts)
      .then((saved) => {
        held.unsaved -= saved
      })
      .catch((error: unknown) => {
        // It is tried again, but not with the very next entry.
        held.unsaved = Math.floor(this.#snapshotEvery / 2)
        this.#onSnapshotError(error)
      })
      .finally(() => this.#saving.delete(held))
    this.#saving.set(held, saving)
  }
}

function isConflict(error: unknown): boolean {
  return error instanceof StoreError && error.code === 'conflict'
}
