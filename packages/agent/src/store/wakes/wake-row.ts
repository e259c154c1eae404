import type { Row } from '../database.ts'
import type { StoreParts } from '../parts.ts'
import type { FiredWake, StoredWake } from './wakes.ts'

/** What has to be exact about a wake. */
export interface WakePayload {
  readonly agent: string
  readonly prompt: string
}

type FiringPayload = Omit<FiredWake, 'firingId' | 'wakeId' | 'sessionId'>

type RowParts = Pick<StoreParts, 'payloads'>

export function wakeOf(row: Row, { payloads }: RowParts): StoredWake {
  const id = String(row['id'])
  const text = String(row['payload'])
  // Written by `add`.
  const { agent, prompt } = payloads.read(text, ['wakes', id]) as WakePayload
  return {
    id,
    event: String(row['event']),
    agent,
    ...sessionIn(row),
    prompt,
    isOnce: row['is_once'] === 1,
    createdAt: Number(row['created_at']),
    createdBy: String(row['made_by']),
    fired: Number(row['fired']),
  }
}

export function firingOf(row: Row, { payloads }: RowParts): FiredWake {
  const firingId = String(row['id'])
  const place = ['firings', firingId] as const
  // Written by `fire`.
  const payload = payloads.read(String(row['payload']), place) as FiringPayload
  const wakeId = String(row['wake_id'])
  return { firingId, wakeId, ...sessionIn(row), ...payload }
}

function sessionIn(row: Row): { readonly sessionId?: string } {
  const id = row['session_id']
  return typeof id === 'string' ? { sessionId: id } : {}
}
