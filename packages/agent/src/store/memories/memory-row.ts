import type { Row, SqlValue } from '../database.ts'
import type { StoreParts } from '../parts.ts'
import type { Memory, MemoryOrigin } from './memories.ts'

/** What has to be exact of a memory, as `writeMemory` writes it. */
export interface MemoryPayload {
  readonly agent: string
  readonly user: string | null
  readonly text: string
}

export function openMemory(row: Row, { payloads }: StoreParts): Memory {
  const place = ['memories', String(row['id'])] as const
  // Only `writeMemory` writes there.
  const exact = payloads.read(String(row['payload']), place) as MemoryPayload
  return {
    ...exact,
    name: String(row['name']),
    sessionId: textOf(row['session_id']),
    turnId: textOf(row['turn_id']),
    // The same holds for this column.
    origin: String(row['origin']) as MemoryOrigin,
    by: textOf(row['made_by']),
    createdAt: Number(row['created_at']),
    updatedAt: Number(row['updated_at']),
  }
}

function textOf(value: SqlValue | undefined): string | null {
  return value === null || value === undefined ? null : String(value)
}
