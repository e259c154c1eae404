import { canonicalJson } from '../../seal/canonical-json.ts'
import { sha256 } from '../../seal/sha256.ts'
import type { Result, Statement } from '../database.ts'
import type { StoreParts } from '../parts.ts'
import { StoreError } from '../store-error.ts'
import { checkEvent, maxWakesOfEvent } from './bounds.ts'
import {
  fireWake,
  insertEmitted,
  insertFiring,
  listCandidates,
  listFirings,
  readEmitted,
} from './statements.ts'
import { wakeOf } from './wake-row.ts'
import type { Fired, FiredWake, NamedEvent, StoredWake } from './wakes.ts'

export interface FireLimits {
  readonly maxDepth: number
  readonly maxPerMinute: number
  readonly digest: (text: string) => string
}

/** Tells an event, and has the wakes fire that wait for it; all or none. */
export async function fireWakes(
  parts: StoreParts,
  event: NamedEvent,
  { maxDepth, maxPerMinute, digest }: FireLimits,
): Promise<Fired> {
  checkEvent(event)
  const { database, redactor, nextId } = parts
  const { name, depth } = event
  const id = idOf(event, nextId)
  const nothing = {
    id,
    isNew: false,
    isTooDeep: false,
    wakes: [],
    woken: 0,
    left: 0,
    held: [],
  }
  if (depth > maxDepth) return { ...nothing, isTooDeep: true }
  const by = redactor.text(event.by)
  const waiting = await database.read({
    sql: listCandidates,
    values: [name, maxWakesOfEvent],
  })
  const firings = waiting.map((row) =>
    firingFor(wakeOf(row, parts), { ...event, by }, nextId()),
  )
  const same =
    event.key === undefined ? null : digest(canonicalJson(event.data ?? null))
  const statements: Statement[] = [
    { sql: insertEmitted, values: [id, name, by, depth, same], expects: 1 },
    ...firings.flatMap((firing) =>
      firingStatements(firing, { id, maxPerMinute, parts }),
    ),
  ]
  let fired: readonly boolean[]
  try {
    const unit = { name: 'wake.fire', statements, isAlone: true }
    fired = firedIn(await database.write(unit))
  } catch (error) {
    if (!(error instanceof StoreError)) throw error
    if (error.code === 'conflict') {
      return { ...nothing, ...(await wokenBefore(parts, { id, name, same })) }
    }
    if (error.code !== 'unavailable') throw error
    // It may have been written, only that nobody could say so.
    const found = await database.read({ sql: listFirings, values: [id] })
    const ids = new Set(found.map((row) => row['id']))
    fired = firings.map(({ firingId }) => ids.has(firingId))
    if (!fired.includes(true)) throw error
  }
  const count = fired.filter(Boolean).length
  return {
    ...nothing,
    isNew: true,
    wakes: firings.filter((_, index) => fired[index]),
    woken: count,
    left: count,
    held: firings.flatMap(({ wakeId }, index) => {
      const isOnce = waiting[index]?.['is_once'] === 1
      return fired[index] || isOnce ? [] : [wakeId]
    }),
  }
}

/** How many the same event woke; throws if that was another one. */
async function wokenBefore(
  { database }: StoreParts,
  told: {
    readonly id: string
    readonly name: string
    readonly same: string | null
  },
): Promise<Pick<Fired, 'woken' | 'left'>> {
  const [row] = await database.read({ sql: readEmitted, values: [told.id] })
  const known = row?.['digest'] ?? null
  if (known === null || told.same === null || known === told.same) {
    const { woken = 0, open = 0 } = row ?? {}
    return { woken: Number(woken), left: Number(open) }
  }
  const message = `The event "${told.name}" was told with the same key and other data before; give each event a key of its own.`
  throw new StoreError('conflict', message)
}

/** By its key; nothing of the key can be read from it. */
function idOf({ name, key }: NamedEvent, nextId: () => string): string {
  if (key === undefined) return nextId()
  return `event-${sha256(JSON.stringify([name, key])).slice(0, 40)}`
}

function firingFor(
  { id, agent, prompt, sessionId, createdBy }: StoredWake,
  { key: _, ...event }: NamedEvent,
  firingId: string,
): FiredWake {
  const about = { ...(sessionId !== undefined && { sessionId }), createdBy }
  return { firingId, wakeId: id, agent, prompt, ...about, event }
}

interface FiringOptions {
  readonly id: string
  readonly maxPerMinute: number
  readonly parts: Pick<StoreParts, 'payloads' | 'worker'>
}

function firingStatements(
  { firingId, wakeId, sessionId: _, ...body }: FiredWake,
  { id, maxPerMinute, parts }: FiringOptions,
): readonly Statement[] {
  const payload = parts.payloads.write(body, ['firings', firingId])
  const row = [firingId, id, parts.worker, payload, wakeId, firingId]
  return [
    { sql: fireWake, values: [firingId, wakeId, maxPerMinute] },
    { sql: insertFiring, values: row },
  ]
}

/** After the event itself come two results for each wake. */
function firedIn(results: readonly Result[]): readonly boolean[] {
  return results
    .slice(1)
    .filter((_, index) => index % 2 === 1)
    .map(({ changes }) => changes === 1)
}
