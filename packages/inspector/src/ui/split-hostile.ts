/** A piece of a text: to be shown as it is, or by a name. */
export type HostilePart =
  | { readonly isHidden: false; readonly text: string }
  | { readonly isHidden: true; readonly text: string; readonly name: string }

/**
 * Controls but for tab and line feed; what turns the direction of text; what
 * has no width; what stands for nothing; and halves of characters.
 */
const hidden =
  // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what it is about.
  // biome-ignore lint/suspicious/noMisleadingCharacterClass: each stands for itself.
  /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b-\u200f\u2028-\u202e\u2060-\u206f\u3164\ufe00-\ufe0e\ufeff\uffa0\ufff0-\ufffb]|[\u{e0000}-\u{e0fff}]|\p{Surrogate}/gu

const names: Readonly<Record<string, string>> = {
  '\u0000': '␀',
  '\u0007': '␇',
  '\u0008': '␈',
  '\r': '␍',
  '\u001b': '␛',
  '\u007f': '␡',
}

/** Nobody is fooled by what they cannot see. */
export function splitHostile(text: string): readonly HostilePart[] {
  const parts: HostilePart[] = []
  let from = 0
  for (const { 0: found, index } of text.matchAll(hidden)) {
    // The usual end of a line on some systems.
    if (found === '\r' && text[index + 1] === '\n') continue
    if (index > from) {
      parts.push({ isHidden: false, text: text.slice(from, index) })
    }
    const code = found.codePointAt(0) ?? 0
    const name = `U+${code.toString(16).toUpperCase().padStart(4, '0')}`
    parts.push({ isHidden: true, text: names[found] ?? `‹${name}›`, name })
    from = index + found.length
  }
  if (from < text.length) {
    parts.push({ isHidden: false, text: text.slice(from) })
  }
  return parts
}
