import { isLuhn, remainder, weighted } from './digits.ts'

/** It has no sum; some numbers are never given. */
export function isUnitedStates(found: string): boolean {
  const digits = found.replace(/\D/g, '')
  const [area, group, serial] = [
    digits.slice(0, 3),
    digits.slice(3, 5),
    digits.slice(5),
  ]
  if (area === '000' || area === '666' || area >= '900') return false
  // Printed on cards that came with wallets, and in advertisements.
  if (digits === '078051120' || digits === '219099999') return false
  return group !== '00' && serial !== '0000'
}

/** It has no sum; some letters are never given. */
export function isBritish(found: string): boolean {
  return !/^(?:BG|GB|KN|NK|NT|TN|ZZ)/.test(found)
}

/** ISO 7064, modulo 11 and 10. One digit of the first ten comes twice or thrice. */
export function isGerman(digits: string): boolean {
  const lead = digits.slice(0, 10)
  if (digits.startsWith('0') || new Set(lead).size < 8) return false
  if (new Set(lead).size === 10) return false
  let product = 10
  for (const digit of lead) {
    const sum = (Number(digit) + product) % 10 || 10
    product = (sum * 2) % 11
  }
  return (11 - product) % 10 === Number(digits[10])
}

const spanishLetters = 'TRWAGMYFPDXBNJZSQVHLCKE'

export function isSpanish(found: string): boolean {
  const bare = found.replaceAll('-', '')
  const isForeign = /^[XYZ]/.test(bare)
  if (bare.length !== 9) return false
  const first = isForeign ? `${'XYZ'.indexOf(bare.charAt(0))}` : bare.charAt(0)
  const number = Number(first + bare.slice(1, 8))
  return spanishLetters[number % 23] === bare[8]
}

export function isFrench(digits: string): boolean {
  return (
    digits.length === 15 &&
    97 - remainder(digits.slice(0, 13), 97) === Number(digits.slice(13))
  )
}

const odd = [
  1, 0, 5, 7, 9, 13, 15, 17, 19, 21, 2, 4, 18, 20, 11, 3, 6, 8, 12, 14, 16, 10,
  22, 25, 24, 23,
]

export function isItalian(found: string): boolean {
  let sum = 0
  for (const [at, char] of found.slice(0, 15).split('').entries()) {
    const isDigit = /\d/.test(char)
    const value = isDigit ? Number(char) : char.charCodeAt(0) - 65
    sum += at % 2 === 0 ? (odd[value] ?? 0) : value
  }
  return String.fromCharCode(65 + (sum % 26)) === found[15]
}

export function isDutch(digits: string): boolean {
  const isNone = /^0+$/.test(digits)
  return !isNone && weighted(digits, [9, 8, 7, 6, 5, 4, 3, 2, -1]) % 11 === 0
}

export function isPolish(digits: string): boolean {
  return weighted(digits, [1, 3, 7, 9, 1, 3, 7, 9, 1, 3, 1]) % 10 === 0
}

export function isBrazilian(digits: string): boolean {
  if (new Set(digits).size === 1) return false
  return [9, 10].every((count) => {
    const weights = Array.from({ length: count }, (_, at) => count + 1 - at)
    const rest = (weighted(digits, weights) * 10) % 11
    return (rest === 10 ? 0 : rest) === Number(digits[count])
  })
}

export function isChinese(found: string): boolean {
  const sum = weighted(
    found,
    [7, 9, 10, 5, 8, 4, 2, 1, 6, 3, 7, 9, 10, 5, 8, 4, 2],
  )
  return '10X98765432'[sum % 11] === found.charAt(17).toUpperCase()
}

// Verhoeff's tables: the group of five corners, and a permutation.
const turned = [1, 5, 7, 6, 2, 8, 3, 0, 9, 4]

export function isIndian(digits: string): boolean {
  let check = 0
  for (let at = 0; at < digits.length; at++) {
    let value = Number(digits[digits.length - 1 - at])
    for (let times = 0; times < at % 8; times++) value = turned[value] ?? 0
    check = inCorners(check, value)
  }
  return check === 0
}

function inCorners(a: number, b: number): number {
  if (a < 5) return b < 5 ? (a + b) % 5 : 5 + ((a + b) % 5)
  return b < 5 ? 5 + ((a - 5 - b + 5) % 5) : (a - b + 5) % 5
}

export function isSwedish(digits: string): boolean {
  return isLuhn(digits.slice(-10))
}

export function isCanadian(digits: string): boolean {
  return !/^[08]/.test(digits) && isLuhn(digits)
}
