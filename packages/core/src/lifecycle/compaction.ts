import { type } from '../define/define-point.ts'
import { promptContext } from './contributions/prompt-context.ts'
import { contentLimits, lifecyclePoint } from './lifecycle-point.ts'
import type { Message } from './message.ts'

/** Why a conversation is made shorter; `overflow`: a call was too long. */
export type CompactionTrigger = 'threshold' | 'overflow' | 'manual'

export interface CompactionBudget {
  readonly usedTokens: number
  readonly maxTokens: number
  /** What the compaction tries to come down to. */
  readonly targetTokens: number
}

/** How it is to be done; absent means as the runtime does it. */
export interface CompactionHint {
  readonly instructions?: string
  /** How many of the newest messages stay as they are. */
  readonly keepMessages?: number
  /** Used as it is, so that no model is asked for one. */
  readonly summary?: string
}

export interface CompactionPreInput {
  readonly messages: readonly Message[]
  readonly budget: CompactionBudget
  readonly trigger: CompactionTrigger
  readonly hint: CompactionHint
}

export interface CompactionPostInput {
  readonly removedCount: number
  readonly summary: string
  readonly trigger: CompactionTrigger
}

/** Every way to a shorter conversation passes here; a reject vetoes it. */
export const compactionPre = lifecyclePoint('compaction.pre', {
  input: type<CompactionPreInput>(),
  subject: 'hint',
  answers: ['transform', 'replace', 'reject'],
  fields: { trigger: ({ trigger }) => trigger },
  limits: contentLimits,
})

/** The conversation is shorter; context can bring back what it needs. */
export const compactionPost = lifecyclePoint('compaction.post', {
  input: type<CompactionPostInput>(),
  order: 'descending',
  contributes: [promptContext],
  fields: { trigger: ({ trigger }) => trigger },
})
