import { sha256 } from '../seal/sha256.ts'
import type { RetryAnswer } from './job-queue.ts'
import { stateOf } from './job-rows.ts'
import type { TableQueue } from './table-queue.ts'

/**
 * Puts a dead job back, if what it is to be given is what was queued. Only the
 * death that was looked at counts: who comes second changes nothing.
 */
export async function retryDead(
  { parts, statements }: TableQueue,
  id: string,
): Promise<RetryAnswer> {
  const { given, retryDead: sql } = statements
  const [row] = await parts.database.read({ sql: given, values: [id] })
  if (row === undefined) return 'unknown'
  const state = stateOf(row)
  if (state === 'failed') return 'must_not_repeat'
  if (state !== 'dead') return 'not_dead'
  const { payload, payload_hash: hash, fence } = row
  if (typeof payload !== 'string' || typeof hash !== 'string') {
    return 'input_changed'
  }
  if (sha256(payload) !== hash) return 'input_changed'
  const [result] = await parts.database.write({
    name: 'job.retry',
    statements: [{ sql, values: [id, fence ?? null, hash] }],
  })
  return result?.changes === 1 ? 'put_back' : 'not_dead'
}
