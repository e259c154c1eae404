import { defineKind } from '../../define/define-kind.ts'
import type { JsonObject } from '../json.ts'
import {
  checkFlag,
  checkName,
  checkObject,
  checkRecord,
  optional,
} from './check-value.ts'

/** Something for the record. */
export interface AuditEntry {
  readonly event: string
  readonly details?: JsonObject
  /** Whether users may see it; default false. */
  readonly isSafeForUser?: boolean
}

export const audit = defineKind<AuditEntry>()('audit', {
  unwaited: true,
  check: checkObject<AuditEntry>({
    event: checkName,
    details: optional(checkRecord),
    isSafeForUser: optional(checkFlag),
  }),
})
