import { type } from '../define/define-point.ts'
import { callFields, heldCallFields } from './call-fields.ts'
import { promptContext } from './contributions/prompt-context.ts'
import { restriction } from './contributions/restriction.ts'
import { contentLimits, lifecyclePoint } from './lifecycle-point.ts'
import type {
  EndedCall,
  GrantedCall,
  SealedCall,
  ToolResult,
} from './tool-call.ts'

export interface ToolPostCallInput extends EndedCall {
  /** Absent when the call was refused before it was sealed. */
  readonly seal?: string
}

export interface ToolPostBatchInput {
  /** In the order of the calls. */
  readonly results: readonly EndedCall[]
}

/** Changes the arguments, gives the result, or denies this one call. */
export const toolPreCall = lifecyclePoint('tool.pre_call', {
  input: type<GrantedCall>(),
  output: type<ToolResult>(),
  subject: 'args',
  answers: ['transform', 'replace', 'respond', 'reject', 'ask', 'endTurn'],
  contributes: [promptContext, restriction],
  fields: callFields,
})

/** Judges the call that will run, after every rewrite. */
export const toolGuard = lifecyclePoint('tool.guard', {
  input: type<SealedCall>(),
  answers: ['reject', 'ask'],
  fields: callFields,
})

/** Changes or withholds what the model sees; never runs the call again. */
export const toolPostCall = lifecyclePoint('tool.post_call', {
  input: type<ToolPostCallInput>(),
  order: 'descending',
  subject: 'result',
  answers: ['transform', 'replace', 'reject', 'endTurn'],
  contributes: [promptContext],
  fields: {
    ...heldCallFields,
    status: ({ status }) => status,
    isError: ({ result }) => result.isError,
  },
  limits: contentLimits,
  conceal: (input) => ({ ...input, result: concealResult(input.result) }),
})

/** Every call of the step has ended. */
export const toolPostBatch = lifecyclePoint('tool.post_batch', {
  input: type<ToolPostBatchInput>(),
  answers: ['endTurn'],
  contributes: [promptContext],
})

/** Neither what the model would read nor the same for programs. */
function concealResult(result: ToolResult): ToolResult {
  if (result.isError) return { ...result, content: [] }
  return { content: [], isError: false }
}
