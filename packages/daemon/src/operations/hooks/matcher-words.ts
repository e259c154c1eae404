/** Which inputs a hook runs for, in words, from what its descriptor prints. */
export function matcherWords(match: unknown): string {
  if (typeof match === 'string') return match
  if (typeof match !== 'object' || match === null) return 'every input'
  const parts = Object.entries(match).map(([field, condition]) =>
    fieldWords(field, condition),
  )
  return parts.length === 0 ? 'every input' : parts.join(', and ')
}

function fieldWords(field: string, condition: unknown): string {
  if (!isPlainObject(condition))
    return `${field} is ${conditionWords(condition)}`
  const parts = Object.entries(condition).map(([key, part]) =>
    key.startsWith('$')
      ? `${field} is ${operatorWords(key, part)}`
      : fieldWords(`${field}.${key}`, part),
  )
  return parts.length === 0 ? `${field} is anything` : parts.join(', and ')
}

function conditionWords(condition: unknown): string {
  if (Array.isArray(condition)) {
    return condition.map(conditionWords).join(' or ') || 'nothing'
  }
  if (typeof condition === 'string') {
    const isPattern = /[*?{]/.test(condition)
    return isPattern ? `like ${quoted(condition)}` : quoted(condition)
  }
  if (!isPlainObject(condition)) return String(condition)
  const parts = Object.entries(condition).map(([key, part]) =>
    key.startsWith('$') ? operatorWords(key, part) : fieldWords(key, part),
  )
  return `(${parts.join(', and ')})`
}

function operatorWords(operator: string, part: unknown): string {
  if (operator === '$not') return `not ${conditionWords(part)}`
  if (operator === '$is') return `exactly ${quoted(part)}`
  if (operator === '$regex') return `matched by ${quoted(part)}`
  return `${operator} ${quoted(part)}`
}

function quoted(value: unknown): string {
  return JSON.stringify(value)
}

function isPlainObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
