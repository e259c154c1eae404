import type { Row, Statement } from '../database.ts'
import type { Covers, Lasts } from './approval.ts'
import type { ApprovalRow } from './approval-row.ts'
import { type Desk, tampered } from './desk.ts'
import type { Field } from './macs.ts'
import type { ReadAnswer } from './read-answer.ts'

/** What one person has said. */
export interface Vote {
  readonly voter: string
  readonly decision: ReadAnswer['type']
  readonly lasts: Lasts | null
  readonly covers: Covers | null
}

const listSql = `SELECT voter, decision, lasts, covers, mac FROM votes
  WHERE approval_id = ? ORDER BY voter`
const writeSql = `INSERT INTO votes
  (approval_id, voter, decision, lasts, covers, at, mac)
  VALUES (?, ?, ?, ?, ?, hookline_now(), ?)
  ON CONFLICT (approval_id, voter) DO UPDATE SET
  decision = excluded.decision, lasts = excluded.lasts,
  covers = excluded.covers, at = excluded.at, mac = excluded.mac`

/** Whoever has said something, as far as it can be believed. */
export async function readVotes(
  { parts, macs, settings }: Desk,
  approval: ApprovalRow,
): Promise<readonly Vote[]> {
  const { id } = approval
  const rows = await parts.database.read({ sql: listSql, values: [id] })
  return rows.flatMap((row) => {
    // Columns of our own query.
    const vote = row as Row & Vote & { readonly mac: string | null }
    const fields = signedVote(approval, vote)
    if (macs.verifies(vote.mac, 'vote', fields)) return [vote]
    settings.alarm(tampered('votes', id))
    return []
  })
}

/** Whoever changes their mind has one vote, the last one. */
export function writeVote(
  { macs }: Desk,
  approval: ApprovalRow,
  vote: Vote,
): Statement {
  const { voter, decision, lasts, covers } = vote
  const mac = macs.sign('vote', signedVote(approval, vote))
  const values = [approval.id, voter, decision, lasts, covers, mac]
  return { sql: writeSql, values, expects: 1 }
}

function signedVote(
  { id, shown_hash, epoch }: ApprovalRow,
  { voter, decision, lasts, covers }: Vote,
): readonly Field[] {
  return [id, shown_hash, epoch, voter, decision, lasts, covers]
}

const spans: readonly Lasts[] = ['once', 'session', 'always']

/** How long the shortest of them lasts, and what the narrowest covers. */
export function agreement(votes: readonly Vote[]): {
  readonly lasts: Lasts
  readonly covers: Covers
} {
  const isSaid = (lasts: Lasts) => votes.some((vote) => vote.lasts === lasts)
  const isAll = votes.every(({ covers }) => covers === 'tool')
  return {
    lasts: spans.find(isSaid) ?? 'once',
    covers: isAll ? 'tool' : 'arguments',
  }
}
