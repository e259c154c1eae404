/** What is known of an error, whoever made it. */
export interface ErrorFacts {
  readonly status?: number
  /** The names that the provider and Node give it, in lower case. */
  readonly kind: string
  /** What the provider says; can be empty. */
  readonly message: string
  readonly headers: Readonly<Record<string, unknown>>
  readonly isRetryable?: boolean
}

type Fields = Readonly<Record<string, unknown>>

const MAX_CAUSES = 5
const MAX_DEPTH = 3

/**
 * Reads errors of the AI SDK, the error objects that providers send in a
 * stream, and those of Node. Nothing in them is sure to be there.
 */
export function factsOf(thrown: unknown): ErrorFacts {
  const outer = fieldsOf(thrown)
  const spoken = [outer['data'], parsed(outer['responseBody']), thrown].map(
    (sent) => spokenBy(sent),
  )
  const names = [...causesOf(outer), ...spoken].flatMap(
    ({ name, type, code }) => [name, type, code],
  )
  const messages = spoken.map(({ message }) => message)
  const { statusCode: status, isRetryable } = outer
  return {
    kind: names.filter(isName).join(' ').toLowerCase(),
    message: messages.find(isName)?.toString() ?? '',
    headers: fieldsOf(outer['responseHeaders']),
    ...(typeof status === 'number' && { status }),
    ...(typeof isRetryable === 'boolean' && { isRetryable }),
  }
}

/** The error inside what a provider sent, however deep it put it. */
function spokenBy(sent: unknown, depth = 0): Fields {
  if (typeof sent === 'string') return { message: sent }
  const fields = fieldsOf(sent)
  const inner = fields['error'] ?? fieldsOf(fields['response'])['error'] ?? null
  if (inner === null || depth === MAX_DEPTH) return fields
  return spokenBy(inner, depth + 1)
}

function causesOf(outer: Fields): readonly Fields[] {
  const causes = [outer]
  for (const { cause } of causes) {
    if (cause === undefined || causes.length === MAX_CAUSES) break
    causes.push(fieldsOf(cause))
  }
  return causes
}

function parsed(body: unknown): unknown {
  if (typeof body !== 'string') return undefined
  try {
    return JSON.parse(body)
  } catch {
    // Not every proxy speaks JSON; then its status must do.
    return undefined
  }
}

function fieldsOf(value: unknown): Fields {
  // Every object has fields of unknown types.
  return typeof value === 'object' && value !== null ? (value as Fields) : {}
}

function isName(value: unknown): value is string | number {
  return (
    (typeof value === 'string' && value !== '') || typeof value === 'number'
  )
}
