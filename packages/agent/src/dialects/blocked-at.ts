import type { Moment, MomentKind } from './moment.ts'
import type { Verdict } from './verdict.ts'

/** What a no means at a moment; nothing where there is nothing to refuse. */
export function blockedAt({ kind }: Moment, reason: string): Verdict {
  if (refusable.has(kind)) return { decision: 'deny', reason }
  return answerable.has(kind) ? { context: [reason] } : {}
}

const refusable: ReadonlySet<MomentKind> = new Set<MomentKind>([
  'tool-pre',
  'prompt',
  'tool-batch',
  'compact-pre',
  'model-pre',
  'model-post',
])

/** What has happened stays; the model is told. */
const answerable: ReadonlySet<MomentKind> = new Set<MomentKind>([
  'tool-post',
  'tool-failure',
])
