import { StoreError } from '../store-error.ts'
import type { Approval } from './approval.ts'
import { approvalOf, stateOf } from './approval-row.ts'
import { type Desk, find } from './desk.ts'
import { useApproval } from './statements.ts'

/** Whether a call may run because somebody has agreed to it. */
export type UseOutcome =
  | { readonly type: 'valid'; readonly approval: Approval }
  | { readonly type: 'invalid'; readonly problem: UseProblem }

export type UseProblem =
  | 'unknown'
  | 'tampered'
  /** It was given for another call. */
  | 'other-call'
  | 'used'
  | 'not-approved'

/** Looks whether it holds, for that call; nothing is used up. */
export async function verifyApproval(
  desk: Desk,
  id: string,
  seal: string,
): Promise<UseOutcome> {
  const found = await find(desk, id)
  if (found === undefined) return invalid('unknown')
  const { row, isGenuine } = found
  if (!isGenuine) return invalid('tampered')
  if (row.seal !== seal) return invalid('other-call')
  const state = stateOf(row)
  if (state === 'used') return invalid('used')
  if (state !== 'approved') return invalid('not-approved')
  return { type: 'valid', approval: approvalOf(row) }
}

/** Uses it up: of all who try, one gets `valid`. */
export async function consumeApproval(
  desk: Desk,
  id: string,
  seal: string,
): Promise<UseOutcome> {
  const outcome = await verifyApproval(desk, id, seal)
  if (outcome.type === 'invalid') return outcome
  const statements = [useApproval(id, seal)]
  try {
    await desk.parts.database.write({ name: 'approval.use', statements })
    return outcome
  } catch (error) {
    const isLost = error instanceof StoreError && error.code === 'conflict'
    if (!isLost) throw error
  }
  // Somebody was faster; what they did says why.
  const now = await verifyApproval(desk, id, seal)
  return now.type === 'invalid' ? now : invalid('not-approved')
}

function invalid(problem: UseProblem): UseOutcome {
  return { type: 'invalid', problem }
}
