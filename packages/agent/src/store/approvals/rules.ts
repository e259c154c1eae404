import { type Covers, type Principal, principalName } from './approval.ts'
import type { Desk } from './desk.ts'
import { nextPage, type PageOptions, readPage } from './list-approvals.ts'
import { readPrincipal } from './read-answer.ts'
import {
  listRules as listRows,
  type RuleRow,
  readRules,
  revokeRule as revokeRow,
} from './rule-row.ts'

/** What need not be asked again: for one session, or always. */
export interface ApprovalRule {
  readonly id: string
  /** Absent where it is for all sessions. */
  readonly sessionId?: string
  readonly agent: string
  readonly cwd: string
  readonly tool: string
  /** Only the same arguments, or any that the tool is called with. */
  readonly covers: Covers
  readonly createdBy: string
  readonly createdAt: number
  /** The question that it was an answer to. */
  readonly approvalId: string
}

export interface RulePage {
  readonly items: readonly ApprovalRule[]
  readonly next?: string
}

/** The rules that count. */
export async function listRules(
  desk: Desk,
  options: Omit<PageOptions, 'sessionId'> = {},
): Promise<RulePage> {
  const of = readPage(options)
  const rows = await desk.parts.database.read(listRows(of))
  const items = readRules(desk, rows).map(({ row }) => ruleOf(row))
  return { items, ...nextPage(rows, of) }
}

export async function revokeRule(
  { parts }: Desk,
  id: string,
  by: Principal,
): Promise<boolean> {
  const statements = [revokeRow(id, principalName(readPrincipal(by)))]
  const unit = { name: 'rule.revoke', statements }
  const [result] = await parts.database.write(unit)
  return result?.changes === 1
}

function ruleOf(row: RuleRow): ApprovalRule {
  const { id, session_id, agent, cwd, tool, args_hash } = row
  return Object.freeze({
    id,
    ...(session_id !== null && { sessionId: session_id }),
    agent,
    cwd,
    tool,
    covers: args_hash === null ? 'tool' : 'arguments',
    // The columns have their first names; everywhere else a thing is created.
    createdBy: row.made_by,
    createdAt: row.made_at,
    approvalId: row.approval_id,
  })
}
