import type { ToolContext } from 'hookline/lifecycle'
import { definePlugin, defineTool, type Plugin } from '../../index.ts'
import {
  problemOfQuestions,
  questionsSchema,
  type UserAnswer,
  type UserQuestion,
} from './questions.ts'
import type { QuestionsEnd, UserQuestions } from './user-questions.ts'

export interface AskUserPluginOptions {
  /** Where the questions go, and the answers come from. */
  readonly questions: UserQuestions
}

const usage =
  'Use `ask_user` when you need a decision or a fact that only the user has, and cannot go on without. Ask everything you need in one call. Do not ask for what you can find out yourself.'

/** A tool by which agents ask the user, and wait for the answer. */
export function createAskUserPlugin({
  questions: broker,
}: AskUserPluginOptions): Plugin {
  const askUser = defineTool({
    name: 'ask_user',
    description:
      'Asks the user one or more questions, and waits for the answers.',
    input: questionsSchema,
    safety: 'read_only',
    // After a crash it is asked again.
    idempotent: true,
    waitsForPeople: true,
    async execute(args, context) {
      // The schema of the tool has been checked by whoever calls it.
      const { questions } = args as unknown as {
        readonly questions: readonly UserQuestion[]
      }
      const problem = problemOfQuestions(questions) ?? problemOfAsker(context)
      if (problem !== undefined) return refusal(problem)
      const { agent, sessionId = '' } = context.scope
      const { id: callId } = context.call
      const asked = { callId, sessionId, agent, questions }
      const end = await broker.ask(asked, context.signal)
      if ('by' in end && end.by !== undefined) context.joinIn(end.by)
      return render(questions, end)
    },
  })
  return definePlugin({
    name: 'ask-user',
    tools: [askUser],
    prompt: ({ parent }) => (parent === undefined ? usage : undefined),
  })
}

/** Nobody watches what works for another agent: it would wait for ever. */
function problemOfAsker({ scope }: ToolContext): string | undefined {
  if (scope.parents === undefined || scope.parents.length === 0) {
    return undefined
  }
  return 'You work for another agent and cannot ask the user. Decide with what you know, or answer with what you would have to know.'
}

function refusal(text: string) {
  return {
    content: [{ type: 'text' as const, text }],
    isError: true as const,
    error: 'denied' as const,
  }
}

function render(questions: readonly UserQuestion[], end: QuestionsEnd) {
  if (end.type === 'nobody') {
    return refusal(
      `${end.reason} Decide with what you know, or end with what you would have to know.`,
    )
  }
  if (end.type === 'dismissed') return refusal(end.reason)
  const lines = questions.map(({ id, header }) => {
    const answer = end.answers.find((one) => one.id === id)
    return `${header}: ${wordsOf(answer)}`
  })
  return lines.join('\n')
}

function wordsOf(answer: UserAnswer | undefined): string {
  const { selected = [], text } = answer ?? {}
  const all = [...selected, ...(text === undefined ? [] : [text])]
  return all.length === 0 ? 'none' : all.join(', ')
}
