import type { CallExplanation } from './why-call.ts'

/** Who or what has allowed a call, or kept it from running. */
export interface CallDecider {
  /**
   * `check`: there is no such tool, or the arguments do not fit it. `nobody`:
   * a person had to agree, and none did in time.
   */
  readonly kind: 'hook' | 'person' | 'policy' | 'check' | 'nobody'
  /** The hook, or whoever it was. */
  readonly name: string | undefined
  /** Why, in their words; undefined where they said nothing, or it is not kept. */
  readonly reason: string | undefined
}

type Judged = Pick<
  CallExplanation,
  'status' | 'error' | 'grant' | 'approvedBy' | 'verdicts' | 'approvals'
>

/** `told`: what the model was told of its end, where that is kept. */
export function whoDecided(
  call: Judged,
  told: string | undefined,
): CallDecider | undefined {
  switch (call.status) {
    case undefined:
      return undefined
    case 'executed':
    case 'unknown_outcome':
      return whoAllowed(call)
    case 'denied':
      return whoDenied(call, told)
    default:
      return deciding(call)?.by
  }
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
  // A hook may have answered in place of people.
  const kind = approval === undefined ? 'hook' : 'person'
  return { kind, name: approvedBy, reason: approval?.reason }
}

function whoDenied(call: Judged, told: string | undefined): CallDecider {
  const hook = deciding(call)
  if (hook !== undefined) {
    // Of a hook that failed the model is told only that it did.
    return hook.isFailure
      ? hook.by
      : { ...hook.by, reason: hook.by.reason ?? told }
  }
  const none = { name: undefined, reason: told }
  if (call.error === 'dispatch') return { kind: 'check', ...none }
  const asked = call.approvals.at(-1)
  if (asked?.state === 'denied') {
    const { decidedBy: name, reason = told } = asked
    return { kind: 'person', name, reason }
  }
  const isUnanswered = asked?.state === 'expired' || asked?.state === 'void'
  if (!isUnanswered) return { kind: 'policy', ...none }
  return { kind: 'nobody', name: undefined, reason: asked.reason ?? told }
}

/** The hook that ended it before it ran; after that none can. */
function deciding({ verdicts }: Judged) {
  const last = verdicts.findLast(
    ({ decided, point }) => decided && point !== 'tool.post_call',
  )
  if (last === undefined) return undefined
  const { hook: name, reason, failure } = last
  const by: CallDecider = { kind: 'hook', name, reason }
  return { by, isFailure: failure !== undefined }
}
