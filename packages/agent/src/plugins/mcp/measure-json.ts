export interface JsonLimits {
  readonly maxBytes: number
  readonly maxDepth: number
  readonly maxNodes: number
}

/**
 * What makes a value from outside too much, if anything does. Walks without
 * recursion, as depth is one of the things that are looked for.
 */
export function measureJson(
  value: unknown,
  { maxBytes, maxDepth, maxNodes }: JsonLimits,
): string | undefined {
  const open: { readonly value: unknown; readonly depth: number }[] = [
    { value, depth: 1 },
  ]
  let nodes = 0
  let chars = 0
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    nodes++
    if (nodes > maxNodes) return `has more than ${maxNodes} values`
    if (next.depth > maxDepth) return `is deeper than ${maxDepth}`
    if (typeof next.value === 'string') chars += next.value.length
    if (typeof next.value === 'object' && next.value !== null) {
      for (const [key, part] of Object.entries(next.value)) {
        if (key === '__proto__') return 'has a key "__proto__"'
        chars += key.length
        open.push({ value: part, depth: next.depth + 1 })
      }
    }
    // A code unit has at most three bytes in UTF-8; most have one.
    if (chars > maxBytes) return `is larger than ${maxBytes} characters`
  }
  return undefined
}
