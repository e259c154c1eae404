import { defineKind } from '../../define/define-kind.ts'
import { checkObject, checkOneOf, checkWords, optional } from './check-value.ts'

/** Something for the user to read; the model never sees it. */
export interface Notice {
  readonly message: string
  /** Default `info`. */
  readonly level?: 'info' | 'warning' | 'error'
}

export const notice = defineKind<Notice>()('notice', {
  check: checkObject<Notice>({
    message: checkWords,
    level: optional(checkOneOf('info', 'warning', 'error')),
  }),
})
