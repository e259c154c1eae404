/** JSON as RFC 8785 writes it: one text for one value, whatever its order. */
export function canonicalJson(value: unknown): string {
  if (typeof value !== 'object' || value === null) {
    return JSON.stringify(value) ?? 'null'
  }
  if (Array.isArray(value)) return `[${value.map(canonicalJson).join(',')}]`
  // Sorted by UTF-16 code units, as the RFC asks and `sort` does.
  const keys = Object.keys(value).sort()
  let text = ''
  for (const key of keys) {
    const part = (value as Record<string, unknown>)[key]
    if (part === undefined) continue
    const comma = text === '' ? '' : ','
    text += `${comma}${JSON.stringify(key)}:${canonicalJson(part)}`
  }
  return `{${text}}`
}
