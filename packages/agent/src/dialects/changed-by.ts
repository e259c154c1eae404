import { aliasResponse } from './alias-call.ts'
import { byKind } from './by-kind.ts'
import type { World } from './kind.ts'
import type { Moment, MomentOf } from './moment.ts'
import { readUpdatedResult } from './updated-result.ts'
import type { Verdict } from './verdict.ts'

/** The moment as a hook has left it, for the next one. */
export function changedBy(
  moment: Moment,
  verdict: Verdict,
  world: World,
): Moment {
  const { updatedRequest, updatedResponse, updatedPrompt } = verdict
  const changed = byKind<Moment>(moment, {
    'model-pre': (at) => ({ ...at, request: updatedRequest ?? at.request }),
    'model-post': (at) => ({ ...at, response: updatedResponse ?? at.response }),
    'prompt-rewrite': (at) => ({ ...at, prompt: updatedPrompt ?? at.prompt }),
    'tool-post': (at) => withResult(at, verdict, world),
  })
  return changed ?? moment
}

/** The moment with the result that a hook shows instead. */
export function withResult(
  moment: MomentOf<'tool-post'>,
  { updatedOutput }: Verdict,
  { aliases }: World,
): MomentOf<'tool-post'> {
  if (updatedOutput === undefined) return moment
  const result = readUpdatedResult(updatedOutput, moment.response)
  if (result === undefined) return moment
  return { ...moment, response: aliasResponse(moment.call, result, aliases) }
}
