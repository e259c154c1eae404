import { defineKind } from '../../define/define-kind.ts'
import type { JsonValue } from '../json.ts'
import {
  checkName,
  checkNumber,
  checkObject,
  checkPresent,
  optional,
} from './check-value.ts'

/** A rule of one domain that holds for the rest of the turn. */
export interface Policy {
  readonly domain: string
  readonly key: string
  readonly value: JsonValue
  /** The heavier of two rules about the same key holds; default 0. */
  readonly weight?: number
}

export const policy = defineKind<Policy>()('policy', {
  check: checkObject<Policy>({
    domain: checkName,
    key: checkName,
    value: checkPresent,
    weight: optional(checkNumber),
  }),
})
