/** Whether two pieces of plain data say the same, whatever their order. */
export function isSameData(a: unknown, b: unknown): boolean {
  if (Object.is(a, b)) return true
  if (typeof a !== 'object' || typeof b !== 'object') return false
  if (a === null || b === null) return false
  if (Array.isArray(a) !== Array.isArray(b)) return false
  const keys = Object.keys(a)
  if (keys.length !== Object.keys(b).length) return false
  // Both are objects, as was just found.
  const one = a as Record<string, unknown>
  const other = b as Record<string, unknown>
  return keys.every(
    (key) => Object.hasOwn(other, key) && isSameData(one[key], other[key]),
  )
}
