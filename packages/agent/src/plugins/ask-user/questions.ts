import type { JsonObject } from 'hookline/lifecycle'

/** Something that only the user knows. */
export interface UserQuestion {
  /** Unique among the questions of a call. */
  readonly id: string
  /** A word or two, for where there is little room. */
  readonly header: string
  readonly question: string
  /** What to choose from; absent: the answer is text. */
  readonly options?: readonly UserOption[]
  /** Any number of options may be chosen; default: exactly one. */
  readonly multiSelect?: boolean
  /** Text may be given in place of an option; default false. */
  readonly allowText?: boolean
}

export interface UserOption {
  readonly label: string
  readonly description?: string
}

/** What the user says to one of them. */
export interface UserAnswer {
  readonly id: string
  /** Labels of options. */
  readonly selected?: readonly string[]
  readonly text?: string
}

const text = (maxLength: number) => ({
  type: 'string',
  minLength: 1,
  maxLength,
})

/** What a model may ask for. */
export const questionsSchema: JsonObject = {
  type: 'object',
  properties: {
    questions: {
      type: 'array',
      minItems: 1,
      maxItems: 5,
      items: {
        type: 'object',
        properties: {
          id: { type: 'string', pattern: '^[a-z0-9_-]{1,40}$' },
          header: { ...text(30), description: 'A word or two.' },
          question: text(1_000),
          options: {
            type: 'array',
            minItems: 2,
            maxItems: 10,
            items: {
              type: 'object',
              properties: { label: text(100), description: text(300) },
              required: ['label'],
              additionalProperties: false,
            },
          },
          multiSelect: { type: 'boolean' },
          allowText: { type: 'boolean' },
        },
        required: ['id', 'header', 'question'],
        additionalProperties: false,
      },
    },
  },
  required: ['questions'],
  additionalProperties: false,
}

/** What makes questions impossible to answer, beyond what the schema says. */
export function problemOfQuestions(
  questions: readonly UserQuestion[],
): string | undefined {
  const ids = new Set(questions.map(({ id }) => id))
  if (ids.size < questions.length) return 'Two questions have the same id.'
  for (const { id, options = [] } of questions) {
    const labels = new Set(options.map(({ label }) => label))
    if (labels.size < options.length) {
      return `Question "${id}" has two options with the same label.`
    }
  }
  return undefined
}

const maxTextLength = 10_000
const maxAnswers = 100
const maxSelected = 100

/** Answers from outside, as a copy; undefined for what are none. */
export function readAnswers(given: unknown): readonly UserAnswer[] | undefined {
  if (!Array.isArray(given) || given.length > maxAnswers) return undefined
  const answers: UserAnswer[] = []
  for (const one of given) {
    const answer = readAnswer(one)
    if (answer === undefined) return undefined
    answers.push(answer)
  }
  return answers
}

function readAnswer(given: unknown): UserAnswer | undefined {
  const {
    id,
    selected,
    text: said,
  }: Partial<Record<string, unknown>> = Object(given)
  const isText = (value: unknown) =>
    typeof value === 'string' && value.length <= maxTextLength
  const isList =
    Array.isArray(selected) &&
    selected.length <= maxSelected &&
    selected.every(isText)
  if (typeof id !== 'string' || !isText(id)) return undefined
  if (selected !== undefined && !isList) return undefined
  // One that is too long is told as such, once its question is known.
  if (said !== undefined && typeof said !== 'string') return undefined
  return {
    id,
    ...(isList && { selected: [...selected] }),
    ...(said !== undefined && { text: said.slice(0, maxTextLength + 1) }),
  }
}

/** What keeps answers from being answers to these questions. */
export function problemOfAnswers(
  questions: readonly UserQuestion[],
  answers: readonly UserAnswer[],
): string | undefined {
  if (answers.length !== questions.length) {
    return `There are ${questions.length} questions and ${answers.length} answers.`
  }
  for (const question of questions) {
    const own = answers.filter(({ id }) => id === question.id)
    const [answer] = own
    if (answer === undefined || own.length > 1) {
      return `Question "${question.id}" needs one answer.`
    }
    const problem = problemOfAnswer(question, answer)
    if (problem !== undefined) return `Question "${question.id}" ${problem}.`
  }
  return undefined
}

function problemOfAnswer(
  { options = [], multiSelect = false, allowText = false }: UserQuestion,
  { selected = [], text: said }: UserAnswer,
): string | undefined {
  const labels = new Set(options.map(({ label }) => label))
  if (!selected.every((label) => labels.has(label))) {
    return 'was answered with what is no option'
  }
  if (new Set(selected).size < selected.length) {
    return 'was answered twice with the same option'
  }
  if (said !== undefined) {
    const mayBeText = allowText || options.length === 0
    if (!mayBeText) return 'takes no text'
    if (said.trim() === '') return 'was answered with nothing'
    if (said.length > maxTextLength) {
      return `takes at most ${maxTextLength} characters`
    }
  }
  if (multiSelect) return undefined
  const count = selected.length + (said === undefined ? 0 : 1)
  return count === 1 ? undefined : 'needs exactly one answer'
}
