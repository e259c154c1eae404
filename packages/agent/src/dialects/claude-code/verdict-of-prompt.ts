import type { ForeignHook } from '../dialect.ts'
import { failed } from '../handler-ends.ts'
import { readPromptAnswer } from '../prompt-answer.ts'
import type { Verdict } from '../verdict.ts'
import { blocked } from './blocked.ts'

/** What the answer of a model comes to at an event. */
export function verdictOfPrompt(text: string, hook: ForeignHook): Verdict {
  const answer = readPromptAnswer(text)
  if (typeof answer === 'string') return failed(answer)
  return answer.ok ? {} : refusedBy(answer.reason, answer.isFinal, hook)
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
