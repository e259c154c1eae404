import { freezeDeep } from 'hookline'
import type { PermissionDecision } from 'hookline/lifecycle'
import { AgentError } from '../ports/agent-error.ts'

/** A copy of what was decided, so that no one can change it afterwards. */
export function readDecision(decision: PermissionDecision): PermissionDecision {
  const given: { type?: unknown; reason?: unknown; args?: unknown } =
    Object(decision)
  switch (given.type) {
    case 'allow':
      return Object.freeze({ type: 'allow' })
    case 'deny':
      if (typeof given.reason !== 'string') throw refuse('denies without text')
      return Object.freeze({ type: 'deny', reason: given.reason })
    case 'edit':
      if (!isPlainObject(given.args)) {
        throw refuse('edits without a plain object as `args`')
      }
      return freezeDeep({ type: 'edit', args: copy(given.args) })
    default:
      throw refuse('is none of allow, deny, edit')
  }
}

type EditedArgs = Extract<PermissionDecision, { type: 'edit' }>['args']

function isPlainObject(value: unknown): value is EditedArgs {
  if (typeof value !== 'object' || value === null) return false
  const prototype: unknown = Object.getPrototypeOf(value)
  return prototype === Object.prototype || prototype === null
}

function copy(args: EditedArgs): EditedArgs {
  try {
    return structuredClone(args)
  } catch (cause) {
    throw refuse('edits with what is not data', cause)
  }
}

function refuse(problem: string, cause?: unknown): AgentError {
  const message = `An answer to a question ${problem}; the question stays open.`
  return new AgentError('invalid-config', message, cause)
}
