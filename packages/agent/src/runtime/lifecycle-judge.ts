import {
  type CheckedAnswer,
  HookError,
  type Judge,
  type Point,
  plainJudge,
} from 'hookline'
import type { PointName } from 'hookline/lifecycle'
import {
  isArgs,
  isDecision,
  isHint,
  isModelRequest,
  isModelResponse,
  isReply,
  isRetryDecision,
  isToolResult,
  isUserContent,
} from '../data/shapes.ts'

type Check = (value: unknown) => boolean

interface Checks {
  /** Of what `transform` and `replace` put in. */
  readonly value?: Check
  /** Of what `respond` gives. */
  readonly output?: Check
}

const checks: { readonly [K in PointName]?: Checks } = {
  'turn.input': { value: isUserContent },
  'turn.output': { value: isReply },
  'turn.error': { output: isReply },
  'llm.pre_call': { value: isModelRequest, output: isModelResponse },
  'llm.post_call': { value: isModelResponse },
  'llm.error': { output: isRetryDecision },
  'tool.pre_call': { value: isArgs, output: isToolResult },
  'tool.post_call': { value: isToolResult },
  'permission.request': { output: isDecision },
  'compaction.pre': { value: isHint },
}

/** A value that its point cannot use is no answer, whoever gives it. */
export const lifecycleJudge: Judge = {
  ...plainJudge,
  answer(hook, point, given) {
    // A handler notes why it has none; that is not for this message.
    if (given instanceof Error) {
      const message = `Hook "${hook.name}" gave no valid answer.`
      return new HookError('invalid-answer', message, hook.name, given)
    }
    const answer = plainJudge.answer(hook, point, given)
    if (answer instanceof HookError || fits(point, answer)) return answer
    const message = `Hook "${hook.name}" answered ${answer.type} with a value that ${point.name} cannot use.`
    return new HookError('invalid-answer', message, hook.name)
  },
}

function fits({ name }: Point, { type, payload }: CheckedAnswer): boolean {
  // Points of users' own have no entry here.
  const { value, output } = checks[name as PointName] ?? {}
  if (type === 'transform' || type === 'replace')
    return value?.(payload) ?? true
  return type === 'respond' ? (output?.(payload) ?? true) : true
}
