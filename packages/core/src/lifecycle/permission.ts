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

export interface PermissionResolvedInput extends PermissionQuestion {
  readonly decision: PermissionDecision
  /** The person or the hook that decided. */
  readonly by: string
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
