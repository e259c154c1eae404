import { multiselect, select, text } from '@clack/prompts'
import type { Client } from '../../protocol/client.ts'
import type { InputOf } from '../../protocol/operations.ts'
import type { UserQuestion } from '../../protocol/schemas/questions.ts'
import { plainLine } from '../output/plain-text.ts'
import type { AskedQuestions } from './asking.ts'
import { askAt, type Terminal } from './terminal.ts'

type Answer = NonNullable<InputOf<'answerQuestions'>['answers']>[number]

export interface AskQuestionsOptions {
  readonly asked: AskedQuestions
  readonly terminal: Terminal
  readonly signal: AbortSignal
}

/** Asks the questions of an agent one by one; without answers it is told so. */
export async function askQuestions(
  client: Client,
  { asked, terminal, signal }: AskQuestionsOptions,
): Promise<void> {
  const { sessionId, callId } = asked
  const answers: Answer[] = []
  for (const question of asked.questions) {
    const answer = await askOne(question, terminal, signal)
    if (signal.aborted) return
    if (answer === undefined) {
      await client.answerQuestions({ sessionId, callId })
      return
    }
    answers.push({ id: question.id, ...answer })
  }
  const receipt = await client.answerQuestions({ sessionId, callId, answers })
  if (receipt.problem !== undefined) {
    terminal.screen.write(`${plainLine(receipt.problem)}\n`)
  }
}

const otherwise = '\u0000other'

async function askOne(
  question: UserQuestion,
  terminal: Terminal,
  signal: AbortSignal,
): Promise<Omit<Answer, 'id'> | undefined> {
  const { options = [], multiSelect = false, allowText = false } = question
  const message = `${plainLine(question.header)}: ${plainLine(question.question)}`
  const askText = async () => {
    const said = await askAt(terminal, signal, (common) =>
      text({
        ...common,
        message,
        validate: (given = '') =>
          given.trim() === '' ? 'Say something, or press Escape.' : undefined,
      }),
    )
    return said === undefined ? undefined : { text: said }
  }
  if (options.length === 0) return await askText()
  const choices = options.map(({ label, description }) => ({
    value: label,
    label: plainLine(label),
    ...(description !== undefined && { hint: plainLine(description) }),
  }))
  if (multiSelect) {
    const selected = await askAt(terminal, signal, (common) =>
      multiselect({ ...common, message, options: choices, required: false }),
    )
    return selected && { selected }
  }
  const all = allowText
    ? [...choices, { value: otherwise, label: 'Something else' }]
    : choices
  const chosen = await askAt(terminal, signal, (common) =>
    select({ ...common, message, options: all }),
  )
  if (chosen === otherwise) return await askText()
  return chosen === undefined ? undefined : { selected: [chosen] }
}
