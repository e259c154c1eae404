import type { Statement } from '../database.ts'
import type { Desk } from './desk.ts'
import {
  expireMany,
  voidApproval,
  voidRestored,
  voidSession,
} from './end-statements.ts'

/** What is to be void: one approval, or all that a session has. */
export type Voided = { readonly id: string } | { readonly sessionId: string }

/** How many were ended. */
export interface Swept {
  readonly expired: number
  readonly voided: number
}

const batchSize = 500

/** Ends what is open or unused; returns how many that were. */
export function voidApprovals(
  desk: Desk,
  what: Voided,
  reason: string,
): Promise<number> {
  const text = desk.parts.redactor.text(reason)
  const statement =
    'id' in what
      ? voidApproval(what.id, text)
      : voidSession(what.sessionId, text)
  return end(desk, 'approval.void', statement)
}

/** Writes down what time, or a restored backup, has ended; in small pieces. */
export async function sweepApprovals(desk: Desk): Promise<Swept> {
  const expired = await endAll(desk, expireMany(batchSize))
  const voided = await endAll(desk, voidRestored(batchSize))
  return { expired, voided }
}

async function endAll(desk: Desk, statement: Statement): Promise<number> {
  let total = 0
  for (;;) {
    const count = await end(desk, 'approval.sweep', statement)
    total += count
    if (count < batchSize) return total
  }
}

async function end(
  { parts, watch }: Desk,
  name: string,
  statement: Statement,
): Promise<number> {
  const [result] = await parts.database.write({ name, statements: [statement] })
  const ended = result?.rows ?? []
  for (const { id } of ended) watch.tell(String(id))
  return ended.length
}
