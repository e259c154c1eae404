/** The digits of a text. */
export function digitsOf(text: string): string {
  return text.replace(/\D/g, '')
}

/** Luhn's sum, as of payment cards. */
export function isLuhn(digits: string): boolean {
  let sum = 0
  for (let at = 0; at < digits.length; at++) {
    const digit = Number(digits[digits.length - 1 - at])
    const value = at % 2 === 0 ? digit : digit * 2
    sum += value > 9 ? value - 9 : value
  }
  return sum % 10 === 0
}

/** The sum of digits times weights. */
export function weighted(digits: string, weights: readonly number[]): number {
  return weights.reduce(
    (sum, weight, at) => sum + weight * Number(digits[at]),
    0,
  )
}

/** The rest of a long number of digits. */
export function remainder(digits: string, divisor: number): number {
  let rest = 0
  for (const digit of digits) rest = (rest * 10 + Number(digit)) % divisor
  return rest
}

/** Whether so many characters before a place speak of something. */
export function isSpokenOf(
  text: string,
  at: number,
  { words, chars = 32 }: { readonly words: RegExp; readonly chars?: number },
): boolean {
  return words.test(text.slice(Math.max(0, at - chars), at))
}
