import { createHash } from 'node:crypto'

/** SHA-256 over the canonical JSON of a value: one for equal values alone. */
export function fingerprint(value: unknown): string {
  return createHash('sha256').update(canonical(value)).digest('hex')
}

/** Whoever calls has bounded how deep it is. */
function canonical(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(canonical).join(',')}]`
  if (typeof value !== 'object' || value === null) {
    return JSON.stringify(value) ?? 'null'
  }
  const parts = Object.entries(value)
    .filter(([, part]) => part !== undefined)
    .sort(([one], [other]) => (one < other ? -1 : 1))
    .map(([key, part]) => `${JSON.stringify(key)}:${canonical(part)}`)
  return `{${parts.join(',')}}`
}
