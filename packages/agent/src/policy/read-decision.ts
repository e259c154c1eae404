import type { PermissionDecision } from 'hookline/lifecycle'
import { copyJsonObject } from '../data/copy-json.ts'
import { AgentError } from '../ports/agent-error.ts'

/** A copy of what was decided, so that no one can change it afterwards. */
export function readDecision(decision: PermissionDecision): PermissionDecision {
  // Each is read once: who asks twice may be told two things.
  const { type, reason, args } = Object(decision) as Record<string, unknown>
  switch (type) {
    case 'allow':
      return Object.freeze({ type: 'allow' })
    case 'deny':
      if (typeof reason !== 'string') throw refuse('denies without text')
      return Object.freeze({ type: 'deny', reason })
    case 'edit': {
      const { value, issue } = copyJsonObject(args)
      if (issue) throw refuse('edits without a plain object as `args`')
      return Object.freeze({ type: 'edit', args: value })
    }
    default:
      throw refuse('is none of allow, deny, edit')
  }
}

function refuse(problem: string): AgentError {
  const message = `An answer to a question ${problem}; the question stays open.`
  return new AgentError('invalid-answer', message)
}
