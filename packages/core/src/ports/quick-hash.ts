/** FNV-1a, twice with different seeds, over JSON. */
export function quickHash(value: unknown): string {
  const text = JSON.stringify(value) ?? ''
  let a = 0x811c9dc5
  let b = 0xcbf29ce4
  for (let at = 0; at < text.length; at++) {
    const unit = text.charCodeAt(at)
    a = Math.imul(a ^ unit, 0x01000193)
    b = Math.imul(b ^ unit, 0x01000193) + at
  }
  const hex = (part: number) => (part >>> 0).toString(16).padStart(8, '0')
  return hex(a) + hex(b)
}
