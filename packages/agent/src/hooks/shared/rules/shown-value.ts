import { truncate } from 'hookline'

// They change how what stands around them is read, or are not seen at all.
const deceiving = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}]/gu

/**
 * A value for people to read: as JSON, of at most so many characters, without
 * anything that could make it look like another one.
 */
export function shownValue(value: unknown, maxLength: number): string {
  const json = JSON.stringify(value) ?? 'nothing'
  const plain = json.replace(deceiving, (char) => {
    const code = char.codePointAt(0) ?? 0
    return `\\u{${code.toString(16)}}`
  })
  const { text, cut } = truncate(plain, maxLength)
  return cut ? `${text}…` : text
}
