import { defined } from './claude-shape.ts'
import type { Moment } from './moment.ts'
import type { Verdict } from './verdict.ts'

/** Whether something does not go on, whoever agrees to it. */
export function blocks({ decision, stop, keepGoing }: Verdict): boolean {
  return decision === 'deny' || stop !== undefined || keepGoing !== undefined
}

/** Whether it says no to anything, if only with a question. */
export function refuses(verdict: Verdict): boolean {
  const { decision } = verdict
  return blocks(verdict) || (decision !== undefined && decision !== 'allow')
}

/**
 * What is left of what failed. It may refuse, withhold what there is and tell,
 * but neither allows nor changes what is to happen.
 */
export function refusing(verdict: Verdict, moment?: Moment): Verdict {
  const { decision, reason, stop, keepGoing, lapses } = verdict
  const { updatedOutput, updatedResponse, context, notices } = verdict
  const isRefusal = decision !== undefined && decision !== 'allow'
  return defined<Verdict>({
    ...(isRefusal && { decision, reason }),
    stop,
    keepGoing,
    updatedOutput,
    // Where there is none to withhold yet, it would stand in the model's place.
    ...(moment?.kind !== 'model-pre' && { updatedResponse }),
    context,
    notices,
    lapses,
  })
}

/** Whether what is left of it makes a difference to anybody but the user. */
export function narrows(verdict: Verdict): boolean {
  const { decision, updatedOutput, updatedResponse, context = [] } = verdict
  const isSaid = [decision, updatedOutput, updatedResponse].some(
    (part) => part !== undefined,
  )
  return isSaid || context.length > 0
}
