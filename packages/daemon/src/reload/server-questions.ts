import type {
  AskUser,
  McpAnswer,
  UserAnswer,
  UserQuestion,
  UserQuestions,
} from '@hookline/agent/plugins'
import type { JsonObject, JsonValue } from 'hookline/lifecycle'

/** A field of what a server wants to know, as a question to people. */
interface Field {
  readonly name: string
  readonly question: UserQuestion
  readonly isRequired: boolean
  /** What an answer means; undefined: nothing that fits. */
  readonly read: (answer: string) => JsonValue | undefined
}

/**
 * Puts questions of MCP servers to whoever is there for the session, in the
 * same way as those of agents. Where nobody is, the server is told so.
 */
export function askForServers(questions: UserQuestions): AskUser {
  let asked = 0
  return async ({ server, message, schema, sessionId, callId }, signal) => {
    const fields = fieldsOf(schema, message)
    if (fields.length === 0) return { action: 'decline' }
    const end = await questions.ask(
      {
        sessionId,
        // A call may wait for questions of its own.
        callId: `${callId ?? server}:${++asked}`,
        agent: `mcp:${server}`,
        questions: fields.map(({ question }) => question),
      },
      signal,
    )
    return end.type === 'answered'
      ? { ...answerOf(fields, end.answers), by: end.by }
      : { action: end.type === 'dismissed' ? 'decline' : 'cancel' }
  }
}

function answerOf(
  fields: readonly Field[],
  answers: readonly UserAnswer[],
): McpAnswer {
  const content: Record<string, JsonValue> = {}
  for (const { name, question, isRequired, read } of fields) {
    const given = answers.find(({ id }) => id === question.id)
    const value = read(given?.selected?.[0] ?? given?.text ?? '')
    if (value !== undefined) content[name] = value
    // Half an answer is not what the server asked for.
    else if (isRequired) return { action: 'decline' }
  }
  return { action: 'accept', content }
}

const maxFields = 20

function fieldsOf(schema: JsonObject, message: string): readonly Field[] {
  const { properties, required } = schema
  const names = Array.isArray(required) ? required : []
  return Object.entries(Object(properties) as JsonObject)
    .slice(0, maxFields)
    .map(([name, property], index) => {
      const kind = Object(property) as JsonObject
      const { title, description, type } = kind
      const about = [message, description].filter(
        (text) => typeof text === 'string',
      )
      const choices = choicesOf(kind)
      return {
        name,
        isRequired: names.includes(name),
        question: {
          id: `field-${index + 1}`,
          header: typeof title === 'string' ? title : name,
          question: about.join('\n'),
          ...(choices && { options: choices.map((label) => ({ label })) }),
        },
        read: (typeof type === 'string' && readers[type]) || readText,
      }
    })
}

function choicesOf({ type, enum: values }: JsonObject): string[] | undefined {
  if (type === 'boolean') return ['yes', 'no']
  return Array.isArray(values) ? values.map(String) : undefined
}

const readText = (answer: string) => (answer === '' ? undefined : answer)

function readNumber(answer: string): number | undefined {
  const value = Number(answer)
  return answer.trim() === '' || Number.isNaN(value) ? undefined : value
}

const readers: Readonly<Record<string, Field['read']>> = {
  boolean: (answer) => (answer === '' ? undefined : answer === 'yes'),
  number: readNumber,
  integer: (answer) => {
    const value = readNumber(answer)
    return Number.isInteger(value) ? value : undefined
  },
}
