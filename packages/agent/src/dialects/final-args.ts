import type { JsonObject } from 'hookline/lifecycle'
import { isSameData } from '../data/same-data.ts'
import type { Spoken } from './merge-verdicts.ts'
import { type Verdict, withLapse } from './verdict.ts'

/** What a hook has said, and the arguments that it was shown. */
export interface Judged extends Spoken {
  readonly input: JsonObject
}

/** The arguments that a verdict is about: those it gives, if it gives any. */
export function argsOf({ verdict, input }: Judged): JsonObject {
  return verdict.updatedInput ?? input
}

/**
 * What was said of other arguments than the final ones neither allows these nor
 * changes them; whatever it refuses, asks and tells holds.
 */
export function ofFinalArgs(judged: Judged, final: JsonObject): Spoken {
  const { hook, verdict } = judged
  if (isSameData(argsOf(judged), final)) return { hook, verdict }
  const left = withoutChange(verdict)
  if (verdict.decision !== 'allow') return { hook, verdict: left }
  const message = `${hook.id} has allowed other arguments than those that other hooks have made of them.`
  return { hook, verdict: withLapse(left, 'not-honoured', message) }
}

/** An "allow" is for what it was said with. */
export function withoutChange(verdict: Verdict): Verdict {
  const { updatedInput: _, decision, reason, ...rest } = verdict
  if (decision === undefined || decision === 'allow') return rest
  return { ...rest, decision, ...(reason !== undefined && { reason }) }
}
