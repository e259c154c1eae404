/** Number and gender go, as in the light stemmer of J. Savoy. */
export function stemSpanish(word: string): string {
  if (word.length < 5 || !/^[a-z]+$/.test(word)) return word
  if (/eses$/.test(word)) return word.slice(0, -2)
  if (/ces$/.test(word)) return `${word.slice(0, -3)}z`
  if (/(?:os|as|es)$/.test(word)) return word.slice(0, -2)
  return /[oae]$/.test(word) ? word.slice(0, -1) : word
}
