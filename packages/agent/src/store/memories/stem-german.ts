const steps = [
  /(?:ern|em|er|en|es|e|(?<=[bdfghklmnrt])s)$/,
  /(?:est|en|er|(?<=.{3}[bdfghklmnt])st)$/,
  /(?:ungen|ung|heit|keit|isch|lich|ig|end)$/,
]

const minStem = 3

/**
 * Endings of case, number and verbs go, then those that make nouns and
 * adjectives: the steps of the Snowball stemmer, on words without umlauts.
 */
export function stemGerman(word: string): string {
  if (word.length < 5 || !/^[a-z]+$/.test(word)) return word
  let stem = word
  for (const ending of steps) {
    const shorter = stem.replace(ending, '')
    if (shorter.length >= minStem && /[aeiouy]/.test(shorter)) stem = shorter
  }
  return stem
}
