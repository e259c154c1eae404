import { defineKind } from '../../define/define-kind.ts'
import type { Grant } from '../grant.ts'
import {
  type Check,
  checkCount,
  checkExactObject,
  checkList,
  checkObject,
  checkOneOf,
  checkText,
  optional,
} from './check-value.ts'

/** Less than the grant gives. What is absent stays as it is. */
export type Restriction = Partial<
  Omit<Grant, 'decision' | 'reason' | 'askedBy'>
>

const checkHosts = checkObject<{ hosts: readonly string[] }>({
  hosts: checkList(checkText),
})

const checkNetwork: Check = (value) =>
  typeof value === 'object' ? checkHosts(value) : checkWord(value)

const checkWord = checkOneOf('none', 'all')

/** Narrows where and how one call may run; nothing can widen it. */
export const restriction = defineKind<Restriction>()('restriction', {
  check: checkExactObject<Restriction>({
    sandbox: optional(checkOneOf('none', 'workspace', 'read_only')),
    roots: optional(checkList(checkText)),
    network: optional(checkNetwork),
    timeoutMs: optional(checkCount),
    maxOutputBytes: optional(checkCount),
  }),
})
