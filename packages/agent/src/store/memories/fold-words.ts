const maxWords = 10_000
const maxWordChars = 64

/** The words of a text as they are compared: letters and digits, in lower case. */
export function wordsOf(text: string): readonly string[] {
  const plain = foldMarks(text).toLowerCase()
  const words = plain.match(/[\p{L}\p{M}\p{N}]+/gu) ?? []
  return words.slice(0, maxWords).map((word) => word.slice(0, maxWordChars))
}

/**
 * Without accents, and with one form of each character. The marks of other
 * scripts are parts of their words, and those of kana of their letters.
 */
function foldMarks(text: string): string {
  return text
    .normalize('NFKD')
    .replace(/[\u0300-\u036f]/g, '')
    .normalize('NFC')
    .replaceAll('ß', 'ss')
}

/** A text as it is compared with others: two that are the same say the same. */
export function sameText(text: string): string {
  return text
    .normalize('NFKC')
    .toLowerCase()
    .replace(/\s+/gu, ' ')
    .replace(/^[\s\p{P}]+|[\s\p{P}]+$/gu, '')
}
