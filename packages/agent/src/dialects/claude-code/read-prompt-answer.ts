import { readStrictJson } from '../../handlers/answer/strict-json.ts'
import type { ForeignHook } from '../dialect.ts'
import { isObject } from '../printed.ts'
import type { Verdict } from '../verdict.ts'
import { blocked } from './blocked.ts'

/** What a model that was asked has said; anything but its JSON is a failure. */
export function readPromptAnswer(text: string, hook: ForeignHook): Verdict {
  const { value, problem } = readStrictJson(unfenced(text))
  if (problem !== undefined || !isObject(value)) {
    return { failure: 'The model has not answered with one JSON object.' }
  }
  const { ok, reason, impossible } = value
  if (typeof ok !== 'boolean') {
    return { failure: 'The model has not said whether it is "ok".' }
  }
  if (ok) return {}
  const why = typeof reason === 'string' ? reason : ''
  return refusedBy(why, impossible === true, hook)
}

/** A fence around all of it is not another answer. */
function unfenced(text: string): string {
  const [, inner] = /^\s*```(?:json)?\n([\s\S]*?)\n```\s*$/.exec(text) ?? []
  return inner ?? text
}

function refusedBy(
  why: string,
  isImpossible: boolean,
  hook: ForeignHook,
): Verdict {
  const goesOn = hook.flags['continueOnBlock'] === true
  switch (hook.event) {
    case 'Stop':
    case 'SubagentStop':
      return isImpossible ? {} : blocked(why, hook)
    case 'PreToolUse':
    case 'PostToolUse':
      // Without `continueOnBlock` the turn ends with the call.
      return goesOn ? blocked(why, hook) : { ...blocked(why, hook), stop: why }
    case 'PermissionRequest':
    case 'PermissionDenied':
      return {}
    default:
      return blocked(why, hook)
  }
}
