import { defineKind } from '../../define/define-kind.ts'
import {
  checkCount,
  checkFlag,
  checkList,
  checkName,
  checkNumber,
  checkObject,
  checkText,
  optional,
} from './check-value.ts'

/** Something the model is to know in this turn. */
export interface ContextEntry {
  readonly id: string
  readonly domain: string
  readonly content: string
  /** Heavier entries come first and are cut last; default 0. */
  readonly weight?: number
  /** What this entry alone may take, in code points. */
  readonly maxCodePoints?: number
  /** Where it comes from: addresses, paths, ids. */
  readonly sources?: readonly string[]
  /** Kept as history; otherwise the model sees it in this turn only. */
  readonly isDurable?: boolean
}

export const promptContext = defineKind<ContextEntry>()('context', {
  check: checkObject<ContextEntry>({
    id: checkName,
    domain: checkName,
    content: checkText,
    weight: optional(checkNumber),
    maxCodePoints: optional(checkCount),
    sources: optional(checkList(checkText)),
    isDurable: optional(checkFlag),
  }),
})
