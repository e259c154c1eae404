import type { Spans } from '../spans.ts'
import { remainder } from './digits.ts'

const lengths: Readonly<Record<string, number>> = {
  ...{ AD: 24, AE: 23, AL: 28, AT: 20, AZ: 28, BA: 20, BE: 16, BG: 22, BH: 22 },
  ...{ BR: 29, BY: 28, CH: 21, CR: 22, CY: 28, CZ: 24, DE: 22, DK: 18, DO: 28 },
  ...{ EE: 20, EG: 29, ES: 24, FI: 18, FO: 18, FR: 27, GB: 22, GE: 22, GI: 23 },
  ...{ GL: 18, GR: 27, GT: 28, HR: 21, HU: 28, IE: 22, IL: 23, IQ: 23, IS: 26 },
  ...{ IT: 27, JO: 30, KW: 30, KZ: 20, LB: 28, LC: 32, LI: 21, LT: 20, LU: 20 },
  ...{ LV: 21, MC: 27, MD: 24, ME: 22, MK: 19, MR: 27, MT: 31, MU: 30, NL: 18 },
  ...{ NO: 15, PK: 24, PL: 28, PS: 29, PT: 25, QA: 29, RO: 24, RS: 22, SA: 24 },
  ...{ SE: 24, SI: 19, SK: 24, SM: 27, TN: 24, TR: 26, UA: 29, VA: 22, XK: 20 },
}

const candidate = /(?<![\w-])[A-Za-z]{2}\d{2}(?=[ -]?[A-Za-z0-9])/g

/** Numbers of bank accounts: a country, its length, and the sum of ISO 7064. */
export function findIbans(text: string, spans: Spans): void {
  for (const { index } of text.matchAll(candidate)) {
    const length = lengths[text.slice(index, index + 2).toUpperCase()]
    const end = length && endOf(text, index, length)
    if (!end) continue
    const bare = text.slice(index, end).replace(/[ -]/g, '').toUpperCase()
    if (isChecked(bare)) spans.add(index, end, 'iban')
  }
}

/** Past so many letters and digits; undefined if there are more or fewer. */
function endOf(text: string, start: number, count: number): number | undefined {
  let left = count
  for (let at = start; at < text.length; at++) {
    const char = text.charAt(at)
    if (/[A-Za-z0-9]/.test(char)) left--
    else if (!/[ -]/.test(char) || /[ -]/.test(text.charAt(at - 1)))
      return undefined
    if (left === 0) return /\w/.test(text.charAt(at + 1)) ? undefined : at + 1
  }
  return undefined
}

function isChecked(bare: string): boolean {
  const turned = bare.slice(4) + bare.slice(0, 4)
  const digits = turned.replace(
    /[A-Z]/g,
    (letter) => `${letter.charCodeAt(0) - 55}`,
  )
  return remainder(digits, 97) === 1
}
