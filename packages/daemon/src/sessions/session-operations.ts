import {
  deleteSession,
  exportSession,
  getSession,
  listSessions,
  listTurns,
  readStoredSession,
} from '@hookline/agent/durable'
import type { Message } from 'hookline/lifecycle'
import type { CallContext } from '../protocol/caller.ts'
import { ProtocolError } from '../protocol/errors.ts'
import type { SessionDetail } from '../protocol/schemas/sessions.ts'
import type { SessionService } from '../service/service-parts.ts'
import { actorOf, type CallerCounts, nameOf } from './caller-counts.ts'
import { endDeleted } from './end-deleted.ts'
import { isUnopened } from './end-unopened.ts'
import { handOver, isElsewhere } from './hand-over.ts'
import type { HeldSessions } from './held-sessions.ts'
import type { HostParts } from './host-parts.ts'
import { listedOf, wantedSession } from './listed-session.ts'
import { stopping } from './protocol-errors.ts'
import { readResult } from './read-result.ts'
import { cwdWithin } from './session-folder.ts'

export interface SessionDesk {
  readonly parts: HostParts
  readonly sessions: HeldSessions
  readonly counts: CallerCounts
  /** Where sessions may work. */
  readonly root: string
}

type Sessions = Pick<
  SessionService,
  | 'listSessions'
  | 'createSession'
  | 'getSession'
  | 'listMessages'
  | 'getResult'
  | 'listTurns'
  | 'deleteSession'
  | 'exportSession'
>

export function sessionOperations(desk: SessionDesk): Sessions {
  const { parts, sessions, counts, root } = desk
  const { parts: tables } = parts.store
  /** What somebody has begun, as long as it is open here. */
  const begun = new Map<string, () => void>()
  sessions.onGone((id) => {
    begun.get(id)?.()
    begun.delete(id)
  })
  return {
    listSessions: async (input) => {
      const { limit, after, agent, parentId } = input
      const isWanted = wantedSession(desk, input)
      const wanted = defined({ limit, after, agent, parentId, isWanted })
      const page = await listSessions(tables, wanted)
      return { ...page, items: page.items.map((one) => listedOf(desk, one)) }
    },
    async createSession({ agent, id, cwd }, { caller }) {
      if (sessions.isDraining) throw stopping()
      if (sessions.size >= parts.settings.maxSessions) {
        const message = `${sessions.size} sessions are open here, which is as many as can be; try again later.`
        throw new ProtocolError('too-many', message)
      }
      const known = id === undefined ? undefined : await getSession(tables, id)
      const release = known ? undefined : counts.take('sessions', caller)
      try {
        const name = known?.agent ?? agent ?? firstAgent(parts)
        const folder = known ? undefined : await cwdWithin(root, cwd)
        const given = { agent: name, id, cwd: folder, actor: actorOf(caller) }
        return await sessions.useNew(given, async (held) => {
          // Somebody may have begun it in the same moment.
          if (begun.has(held.id)) release?.()
          else if (release) begun.set(held.id, release)
          if (held.session.interrupted) await sessions.attend(held.id)
          return await detailOf(desk, held.id)
        })
      } catch (error) {
        release?.()
        if (known && isElsewhere(error)) return await detailOf(desk, known.id)
        throw error
      }
    },
    getSession: ({ sessionId }) => detailOf(desk, sessionId),
    async listMessages({ sessionId, limit, before }) {
      const messages = await messagesOf(desk, sessionId)
      const end = Math.min(before ?? messages.length, messages.length)
      const from = Math.max(0, end - (limit ?? end))
      return {
        messages: messages.slice(from, end).map((one) => ({ ...one })),
        from,
      }
    },
    getResult: async (input) =>
      readResult(await messagesOf(desk, input.sessionId), input),
    async listTurns({ sessionId, limit, after }) {
      const page = await listTurns(tables, sessionId, defined({ limit, after }))
      return { ...page, items: [...page.items] }
    },
    async deleteSession({ sessionId }, context) {
      const listed = await getSession(tables, sessionId)
      if (listed === undefined) throw unknownSession(sessionId)
      if (listed.endReason === null) await deleteOpen(desk, sessionId, context)
      else {
        await deleteSession(tables, sessionId)
        const kind = 'session.deleted'
        const actor = nameOf(context.caller)
        parts.store.audit.record({ kind, sessionId, actor })
        await endDeleted(parts, sessionId)
      }
      return { ok: true }
    },
    exportSession: ({ sessionId }) => exportRows(desk, sessionId),
  }
}

async function messagesOf(
  { parts, sessions }: SessionDesk,
  sessionId: string,
): Promise<readonly Message[]> {
  const held = sessions.get(sessionId)
  // While a turn runs, what is on the disk is there before it is known here.
  if (held !== undefined && held.run === undefined) return held.session.messages
  const stored = await readStoredSession(parts.store.parts, sessionId)
  if (stored === undefined) throw unknownSession(sessionId)
  return stored.messages
}

/** Hooks are told; if another daemon has it, by that one. */
async function deleteOpen(
  desk: SessionDesk,
  sessionId: string,
  context: CallContext,
): Promise<void> {
  const { sessions } = desk
  try {
    await sessions.use(sessionId, (held) => sessions.close(held, 'deleted'))
  } catch (error) {
    if (isUnopened(error)) return await sessions.end(sessionId, 'deleted')
    if (!isElsewhere(error)) throw error
    const message = { sessionId, kind: 'delete' as const, body: {} }
    await handOver(desk, message, context)
  }
}

async function exportRows({ parts }: SessionDesk, sessionId: string) {
  const exported = await exportSession(parts.store.parts, sessionId)
  if (exported === undefined) throw unknownSession(sessionId)
  return rowsOf(exported.tables)
}

async function* rowsOf(
  tables: Readonly<
    Record<string, readonly Readonly<Record<string, unknown>>[]>
  >,
) {
  for (const [table, rows] of Object.entries(tables)) {
    for (const row of rows) yield { table, row }
  }
}

/** A session, and what is going on in it. */
async function detailOf(
  desk: SessionDesk,
  sessionId: string,
): Promise<SessionDetail> {
  const { store } = desk.parts
  const listed = await getSession(store.parts, sessionId)
  if (listed === undefined) throw unknownSession(sessionId)
  const cursor = await store.events.head()
  return { ...listedOf(desk, listed), cursor }
}

function firstAgent({ runtime }: HostParts): string {
  const [first] = runtime.agents
  if (first !== undefined) return first.name
  const message = 'There is no agent; write one into the configuration.'
  throw new ProtocolError('conflict', message)
}

function unknownSession(id: string): ProtocolError {
  return new ProtocolError(
    'not-found',
    `There is no session "${id}"; "hookline sessions" lists them.`,
  )
}

/** Without what was not given. */
function defined<T extends object>(
  options: T,
): {
  [Key in keyof T]?: Exclude<T[Key], undefined>
} {
  const given = Object.entries(options).filter(
    ([, value]) => value !== undefined,
  )
  // The same keys, but for those without a value.
  return Object.fromEntries(given) as ReturnType<typeof defined<T>>
}
