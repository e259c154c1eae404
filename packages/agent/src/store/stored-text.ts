/**
 * Neither engine keeps every JavaScript string: Postgres refuses U+0000, and
 * half a surrogate pair is not UTF-8. Both are written as U+E000 and four hex
 * digits, and so is U+E000 itself: what comes back is what was given.
 */
export function toStoredText(text: string): string {
  if (isPlain(text)) return text
  return text.replace(unstorable, escapeUnit)
}

export function fromStoredText(text: string): string {
  if (!text.includes(mark)) return text
  return text.replace(escaped, (_, hex: string) =>
    String.fromCharCode(Number.parseInt(hex, 16)),
  )
}

const mark = '\ue000'
const unstorable =
  /[\0\ue000]|[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/g
const escaped = /\ue000([0-9a-f]{4})/g

function isPlain(text: string): boolean {
  return !text.includes('\0') && !text.includes(mark) && text.isWellFormed()
}

function escapeUnit(unit: string): string {
  return mark + unit.charCodeAt(0).toString(16).padStart(4, '0')
}
