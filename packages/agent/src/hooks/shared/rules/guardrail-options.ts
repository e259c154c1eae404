import { described, text, word } from '../../../define-hooks.ts'
import { type ModelJudgeOptions, modelJudge } from './model-judge.ts'
import { type TextRulesOptions, textRulesFields } from './text-rules.ts'

/** What the guardrails of both directions are told. */
export interface GuardrailOptions extends TextRulesOptions {
  /** A model that judges what the rules let pass. */
  readonly judge?: ModelJudgeOptions
  /** What happens to what is not allowed; default: `reject`. */
  readonly action?: 'reject' | 'redact' | 'respond'
  /** Why it is refused; with `respond`, what the agent says instead. */
  readonly message?: string
  /** What stands in place of what `redact` takes out; default `[removed]`. */
  readonly replacement?: string
}

export const guardrailFields = {
  ...textRulesFields,
  judge: described(modelJudge, 'A model that judges what rules let pass.'),
  action: described(
    word(['reject', 'redact', 'respond']),
    'What happens to what is not allowed; default: reject.',
  ),
  message: described(
    text({ maxLength: 2_000 }),
    'Why it is refused; with respond, what the agent says instead.',
  ),
  replacement: described(
    text({ maxLength: 100, mayBeEmpty: true }),
    'What stands in place of what redact takes out; default [removed].',
  ),
}
