import { defineKind } from '../../define/define-kind.ts'
import type { JsonValue } from '../json.ts'
import {
  checkName,
  checkObject,
  checkPresent,
  checkWords,
  optional,
} from './check-value.ts'

/** Work for later, for the job queue. */
export interface BackgroundJob {
  /** What is to be done; the queue knows who does it. */
  readonly id: string
  readonly payload: JsonValue
  /** Jobs with the same id and key are one job. */
  readonly idempotencyKey?: string
}

export const job = defineKind<BackgroundJob>()('job', {
  unwaited: true,
  check: checkObject<BackgroundJob>({
    id: checkName,
    payload: checkPresent,
    idempotencyKey: optional(checkWords),
  }),
})
