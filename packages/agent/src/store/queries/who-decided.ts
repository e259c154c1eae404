import type { DecidedBy } from '../../ports/store.ts'
import type { Row } from '../database.ts'
import { text } from './stored-run.ts'
import type { CallExplanation } from './why-call.ts'

/** Who or what has allowed a call, or kept it from running. */
export interface CallDecider {
  readonly kind: DecidedBy['kind']
  /** The hook, or whoever it was. */
  readonly name: string | undefined
  /** Why, in their words; undefined where they said nothing, or it is not kept. */
  readonly reason: string | undefined
}

type Judged = Pick<
  CallExplanation,
  'status' | 'grant' | 'approvedBy' | 'verdicts' | 'approvals'
>

/** `told`: what the model was told of its end, where that is kept. */
export function whoDecided(
  row: Row,
  call: Judged,
  told: string | undefined,
): CallDecider | undefined {
  const { status } = call
  if (status === 'executed' || status === 'unknown_outcome') {
    return whoAllowed(call)
  }
  // The journal's writer has put one of these there.
  const kind = text(row['decider']) as CallDecider['kind'] | undefined
  if (kind === undefined) return undefined
  const name = text(row['decided_by'])
  return { kind, name, reason: reasonOf(call, { kind, name, told }) }
}

function whoAllowed(call: Judged): CallDecider {
  const { approvedBy, approvals, grant } = call
  if (approvedBy === undefined) {
    const { reason }: { readonly reason?: unknown } = Object(grant)
    const words = typeof reason === 'string' ? reason : undefined
    return { kind: 'policy', name: undefined, reason: words }
  }
  const approval = approvals.findLast(
    ({ decidedBy }) => decidedBy !== undefined,
  )
  const { kind, name } = approvedBy
  const reason = kind === 'person' ? approval?.reason : undefined
  return { kind, name, reason }
}

interface Decided extends Pick<CallDecider, 'kind' | 'name'> {
  readonly told: string | undefined
}

/** Their own words, where they are kept; else what the model was told. */
function reasonOf(
  { verdicts, approvals }: Judged,
  { kind, name, told }: Decided,
): string | undefined {
  if (kind === 'person' || kind === 'nobody') {
    return approvals.at(-1)?.reason ?? told
  }
  if (kind !== 'hook') return told
  const verdict = verdicts.findLast(
    ({ hook, decided, point }) =>
      hook === name && decided && point !== 'tool.post_call',
  )
  // Of a hook that failed the model is told only that it did.
  const isFailure = verdict?.failure !== undefined
  return verdict?.reason ?? (isFailure ? undefined : told)
}
