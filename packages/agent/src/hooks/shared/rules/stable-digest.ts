import { createHash } from 'node:crypto'

/** The same for the same data, in whatever order its keys are. */
export function stableDigest(value: unknown): string {
  return createHash('sha256').update(stableText(value)).digest('base64url')
}

function stableText(value: unknown): string {
  return JSON.stringify(value, (_, part: unknown) => {
    if (typeof part !== 'object' || part === null) return part
    if (Array.isArray(part)) return part
    const sorted = Object.entries(part).sort(([a], [b]) => (a < b ? -1 : 1))
    // As pairs, so that no key can be anything but a key.
    return { pairs: sorted.flat() }
  })
}
