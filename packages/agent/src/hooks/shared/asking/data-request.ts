import type { JsonObject, ModelRequest } from 'hookline/lifecycle'

export interface DataQuestion {
  readonly model: string
  /** What is to be done with the data. */
  readonly instructions: readonly string[]
  /** What others wrote. */
  readonly data: JsonObject
  readonly maxOutputTokens: number
}

/**
 * What a model is asked about data. All of that is one JSON text in a message
 * of its own, so that no word of it can stand where our words do.
 */
export function dataRequest(question: DataQuestion): ModelRequest {
  const { model, instructions, data, maxOutputTokens } = question
  const content = (text: string) => [{ type: 'text' as const, text }]
  return {
    model,
    messages: [
      { role: 'system', content: content(instructions.join('\n\n')) },
      { role: 'user', content: content(quotedJson(data)) },
    ],
    tools: [],
    settings: { maxOutputTokens },
  }
}

/** JSON in which nothing can look like the end of it, or like a mark. */
export function quotedJson(value: JsonObject): string {
  return JSON.stringify(value).replaceAll(/[<>&\u2028\u2029]/g, (char) => {
    return `\\u${char.charCodeAt(0).toString(16).padStart(4, '0')}`
  })
}
