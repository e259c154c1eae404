import type { Find } from '../finding.ts'
import { findThrough, foldSigns } from '../folded-text.ts'
import { joinFindings, Spans } from '../spans.ts'
import { findBirthDates } from './birth-dates.ts'
import { findCards } from './cards.ts'
import { findEmails } from './emails.ts'
import { findIbans } from './ibans.ts'
import { findIpAddresses } from './ip-addresses.ts'
import { findNationalIds } from './national-ids.ts'
import { findPhones } from './phones.ts'
import { findPostalAddresses } from './postal-addresses.ts'

/** More than any of these with spaces in it has characters. */
export function piiWaitingChars(kinds: readonly PiiKind[]): number {
  return kinds.includes('address') ? 192 : 64
}

// Those that are checked most come first: what overlaps is theirs.
const finders = {
  iban: findIbans,
  card: findCards,
  'national-id': findNationalIds,
  email: findEmails,
  'birth-date': findBirthDates,
  ip: findIpAddresses,
  phone: findPhones,
  address: findPostalAddresses,
} as const

export type PiiKind = keyof typeof finders

// The compiler does not keep the names of the keys.
export const piiKinds = Object.keys(finders) as readonly PiiKind[]

/** Finds what tells who somebody is. */
export function createPiiFinder(kinds: readonly PiiKind[] = piiKinds): Find {
  const wanted = piiKinds.filter((kind) => kinds.includes(kind))
  const find: Find = (text) => {
    const spans = new Spans()
    // Everything but mail has a digit in it, and most texts have none.
    const hasDigit = /\d/.test(text)
    for (const kind of wanted) {
      if (hasDigit || kind === 'email') finders[kind](text, spans)
    }
    return joinFindings(spans.list)
  }
  return findThrough(find, foldSigns)
}
