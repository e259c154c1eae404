import type { ModelResponse } from 'hookline/lifecycle'
import { readAnswer } from '../answer/read-answer.ts'
import { readStrictJson } from '../answer/strict-json.ts'
import type { WireAnswer } from '../handler.ts'
import { HandlerFailure } from '../handler-failure.ts'
import { type AnswerForm, type Risk, risks } from './answer-form.ts'

/** What a model has decided, or why its reply is no decision. */
export type Verdict =
  | { readonly answer: WireAnswer; readonly risk: Risk | undefined }
  | { readonly problem: string }

export interface VerdictRules {
  readonly form: AnswerForm
  readonly run: string
  /** The risk has to be said. */
  readonly mustAgree: boolean
}

/** Of a reply only its text counts, and only if it is an answer and no more. */
export function readVerdict(
  response: ModelResponse,
  rules: VerdictRules,
): Verdict {
  const text = spokenText(response)
  if (text === undefined) return { problem: 'It is not text alone.' }
  try {
    const answer = readAnswer(text, { run: rules.run })
    return checkVerdict(answer, riskIn(text), rules)
  } catch (error) {
    if (!(error instanceof HandlerFailure)) throw error
    return { problem: error.message }
  }
}

function checkVerdict(
  answer: WireAnswer,
  risk: Risk | undefined,
  { form, mustAgree }: VerdictRules,
): Verdict {
  const { type } = answer.answer
  const types: readonly string[] = form.types
  // A refusal counts without it: nothing can be made stricter by asking again.
  const isRefusal = type === 'reject' && types.includes(type)
  if (isRefusal) return { answer, risk }
  if (!types.includes(type)) {
    const problem = `Its type is "${type}", but only these are allowed here: ${types.join(', ')}.`
    return { problem }
  }
  const kind = answer.contributions.find(
    (one) => !form.kinds.includes(one.kind),
  )
  if (kind !== undefined) {
    return { problem: 'It contributes a kind that is not allowed here.' }
  }
  if (mustAgree && risk === undefined) {
    return { problem: `It has no "risk"; use one of: ${risks.join(', ')}.` }
  }
  return { answer, risk }
}

function riskIn(text: string): Risk | undefined {
  const { value } = readStrictJson(text)
  const given: unknown =
    typeof value === 'object' && value !== null && 'risk' in value
      ? value['risk']
      : undefined
  return risks.find((risk) => risk === given)
}

/** All that was said aloud; absent where it is more than text. */
export function spokenText({ content }: ModelResponse): string | undefined {
  const texts: string[] = []
  for (const block of content) {
    if (block.type === 'text') texts.push(block.text)
    else if (block.type !== 'reasoning') return undefined
  }
  return texts.join('')
}
