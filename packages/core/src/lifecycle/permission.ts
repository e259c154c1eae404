import { type } from '../define/define-point.ts'
import type { Question } from '../engine/index.ts'
import { heldCallFields } from './call-fields.ts'
import type { JsonObject } from './json.ts'
import { lifecyclePoint } from './lifecycle-point.ts'
import type { SealedCall } from './tool-call.ts'

/** What a person is asked, bound to the seal of the call. */
export interface PermissionQuestion {
  readonly id: string
  readonly call: SealedCall
  /** Who wants to know what: hooks, or the policy behind the grant. */
  readonly questions: readonly Question[]
}

/** An edit is not yet a yes: the new call passes the gates again. */
export type PermissionDecision =
  | { readonly type: 'allow' }
  | { readonly type: 'deny'; readonly reason: string }
  | { readonly type: 'edit'; readonly args: JsonObject }

/** A person, or a hook that answered in their place. */
export interface Answerer {
  readonly kind: 'person' | 'hook'
  readonly name: string
}

/** Who answered a question. What nobody answered is denied. */
export type AnsweredBy = Answerer | UnansweredBecause

export interface UnansweredBecause {
  readonly kind: 'nobody'
  /** There are no approvals, it came to no answer, or none is wanted any more. */
  readonly because: 'unasked' | 'unanswered' | 'withdrawn'
}

/** A hook that answered, for those who may not see which one. */
export interface UnseenHook {
  readonly kind: 'hook'
  readonly name?: never
}

export interface PermissionResolvedInput extends PermissionQuestion {
  readonly decision: PermissionDecision
  readonly by: AnsweredBy
}

/** A hook that may approve can answer for the user; else the user is asked. */
export const permissionRequest = lifecyclePoint('permission.request', {
  input: type<PermissionQuestion>(),
  output: type<PermissionDecision>(),
  answers: ['respond'],
  rights: { respond: 'approve' },
  fields: heldCallFields,
})

/** The question has its answer. */
export const permissionResolved = lifecyclePoint('permission.resolved', {
  input: type<PermissionResolvedInput>(),
  fields: { ...heldCallFields, decision: ({ decision }) => decision.type },
})
