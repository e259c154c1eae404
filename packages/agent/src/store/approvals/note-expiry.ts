import { stateOf } from './approval-row.ts'
import type { Desk, FoundApproval } from './desk.ts'
import { expireApproval } from './end-statements.ts'

/** Time decides, not this: it only lets everybody see what was decided. */
export async function noteExpiry(
  { parts, settings }: Desk,
  { row }: FoundApproval,
): Promise<void> {
  if (row.state !== 'pending' || stateOf(row) !== 'expired') return
  try {
    const statements = [expireApproval(row.id)]
    await parts.database.write({ name: 'approval.expire', statements })
  } catch (error) {
    settings.alarm({ type: 'failed', doing: 'approval.expire', error })
  }
}
