import type { Approval } from './approval.ts'
import type { Refusal } from './rights.ts'

/** What became of an answer. Only `accepted` has decided anything. */
export type AnswerOutcome =
  | { readonly type: 'accepted'; readonly approval: Approval }
  /** Others have to agree as well. */
  | { readonly type: 'counted'; readonly approval: Approval }
  /** The same person has said the same before; this is where it stands. */
  | { readonly type: 'repeated'; readonly approval: Approval }
  /** Another answer stands. */
  | { readonly type: 'lost'; readonly approval: Approval }
  | { readonly type: 'expired'; readonly approval: Approval }
  | { readonly type: 'void'; readonly approval: Approval }
  | { readonly type: 'unknown' }
  | { readonly type: 'refused'; readonly code: Refusal }
