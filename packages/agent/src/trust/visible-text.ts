/** Controls, every space but the plain one, and letters that show nothing. */
const unseen = /[\p{C}\p{Z}\p{Default_Ignorable_Code_Point}\u2800]/gu

/**
 * Text that people decide by: whatever would not be seen, or would move what
 * is seen, is written out. Nothing is left out.
 */
export function visibleText(text: string): string {
  return text.replace(unseen, (character) => {
    if (character === '\n' || character === ' ') return character
    // A match is never empty.
    const code = character.codePointAt(0) ?? 0
    return `\\u{${code.toString(16)}}`
  })
}
