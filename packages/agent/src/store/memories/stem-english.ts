const vowels = /[aeiouy]/

/** Lives, living, lived and live are one: endings of number and of verbs go. */
export function stemEnglish(word: string): string {
  if (word.length < 4 || !/^[a-z]+$/.test(word)) return word
  const singular = withoutPlural(word)
  return withoutLastVowel(withoutVerbEnding(singular))
}

function withoutPlural(word: string): string {
  if (/(?:ss|us|is)$/.test(word)) return word
  if (/ies$/.test(word)) return word.length > 4 ? `${word.slice(0, -3)}y` : word
  if (/(?:ss|x|z|ch|sh|o)es$/.test(word)) return word.slice(0, -2)
  return word.endsWith('s') ? word.slice(0, -1) : word
}

function withoutVerbEnding(word: string): string {
  if (/ied$/.test(word) && word.length > 4) return `${word.slice(0, -3)}y`
  const [, stem] = /^(.{2,}?)(?:ingly|edly|ing|ed)$/.exec(word) ?? []
  if (stem === undefined || !vowels.test(stem)) return word
  // Running, stopped; but not falling, missed or buzzed.
  return /([^aeioulsz])\1$/.test(stem) ? stem.slice(0, -1) : stem
}

function withoutLastVowel(word: string): string {
  if (word.length < 4) return word
  if (word.endsWith('e')) return word.slice(0, -1)
  return /[^aeiou]y$/.test(word) ? `${word.slice(0, -1)}i` : word
}
