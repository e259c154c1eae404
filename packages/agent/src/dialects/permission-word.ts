import type { JsonValue } from 'hookline/lifecycle'
import { type ClaudeShape, isNamed } from './claude-shape.ts'
import { strongest } from './merge-verdicts.ts'
import type { Decided } from './verdict.ts'

export interface PermissionWord {
  readonly decision: Decided | undefined
  /** The fields that cannot be read, those of the shape included. */
  readonly problems: readonly string[]
}

/**
 * What a permission comes to that a product has a field of its own for, and
 * that may be said in the words of Claude Code: the strongest that can be read.
 * A bare `decision` of theirs allows nothing.
 */
export function readPermission(
  own: JsonValue | undefined,
  field: string,
  shape: ClaudeShape,
): PermissionWord {
  const { permission, decision, problems } = shape
  const said = decision === 'block' ? 'deny' : decision
  const isAllowed = own !== 'allow' && permission === 'allow'
  const isOther = isAllowed && !isNamed(shape, beforeCalls)
  const inner = permission === 'defer' || isOther ? undefined : permission
  const wrong = [
    ...(isWord(own) ? [] : [field]),
    ...(permission === 'defer' ? ['permissionDecision'] : []),
    ...(isOther ? ['hookEventName'] : []),
  ]
  return {
    decision: strongest([
      isWord(own) ? (own ?? undefined) : undefined,
      inner,
      said === 'allow' ? undefined : said,
    ]),
    problems: [...new Set([...wrong, ...problems])],
  }
}

/** What the products call the moment before a call. */
const beforeCalls: readonly string[] = [
  'PreToolUse',
  'preToolUse',
  'BeforeTool',
  'beforeShellExecution',
  'beforeMCPExecution',
  'beforeReadFile',
]

function isWord(
  value: JsonValue | undefined,
): value is 'allow' | 'deny' | 'ask' | null | undefined {
  if (value === undefined || value === null) return true
  return value === 'allow' || value === 'deny' || value === 'ask'
}
