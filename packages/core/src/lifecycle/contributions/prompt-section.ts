import { countCodePoints } from '../../define/code-points.ts'
import { defineKind } from '../../define/define-kind.ts'
import {
  type Check,
  checkCount,
  checkName,
  checkNumber,
  checkObject,
  checkText,
  optional,
} from './check-value.ts'

/** A piece of one section of the system prompt. */
export interface SectionFragment {
  readonly section: string
  readonly content: string
  /** The first title given to a section is its title. */
  readonly title?: string
  /** Lower comes first; default 100. */
  readonly order?: number
  /** What this fragment alone may take, in code points. */
  readonly maxCodePoints?: number
}

const maxTitlePoints = 120

// Titles are outside the budgets, so they are bounded here.
const checkTitle: Check = (title) => {
  const isTitle =
    typeof title === 'string' &&
    title.trim() !== '' &&
    !/[\r\n]/.test(title) &&
    countCodePoints(title) <= maxTitlePoints
  if (isTitle) return undefined
  return `is not one line of 1 to ${maxTitlePoints} characters`
}

export const promptSection = defineKind<SectionFragment>()('section', {
  check: checkObject<SectionFragment>({
    section: checkName,
    content: checkText,
    title: optional(checkTitle),
    order: optional(checkNumber),
    maxCodePoints: optional(checkCount),
  }),
})
