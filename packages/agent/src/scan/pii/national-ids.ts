import type { Spans } from '../spans.ts'
import { digitsOf, isSpokenOf } from './digits.ts'
import * as checks from './national-checks.ts'

interface NationalId {
  readonly shape: RegExp
  readonly isRight: (found: string) => boolean
  /** Without such words before it, it is just a number. */
  readonly words?: RegExp
}

const between = { before: '(?<![\\w.,/+-])', after: '(?![\\w]|[.,/-]\\d)' }

function shaped(shape: string): RegExp {
  return new RegExp(between.before + shape + between.after, 'g')
}

const ids: readonly NationalId[] = [
  {
    shape: shaped('\\d{3}-\\d{2}-\\d{4}'),
    isRight: checks.isUnitedStates,
  },
  {
    shape: shaped('\\d{3} ?\\d{2} ?\\d{4}'),
    isRight: checks.isUnitedStates,
    words: /(?:ssn|social security)(?: (?:number|no))?[\s:.#=is]{0,6}$/i,
  },
  {
    shape: shaped(
      '[A-CEGHJ-PR-TW-Z][A-CEGHJ-NPR-TW-Z] ?\\d{2} ?\\d{2} ?\\d{2} ?[A-D]',
    ),
    isRight: checks.isBritish,
  },
  {
    shape: shaped('\\d{2} ?\\d{3} ?\\d{3} ?\\d{3}'),
    isRight: (found) => checks.isGerman(digitsOf(found)),
    words: /(?:steuer|tax|idnr|tin)[\p{L} .-]{0,24}[\s:.#=]{0,4}$/iu,
  },
  {
    shape: shaped('[XYZ]?-?\\d{7,8}-?[A-HJ-NP-TV-Z]'),
    isRight: checks.isSpanish,
  },
  {
    shape: shaped(
      '[12] ?\\d{2} ?(?:0[1-9]|1[0-2]|[2-9]\\d) ?\\d{2} ?\\d{3} ?\\d{3} ?\\d{2}',
    ),
    isRight: (found) => checks.isFrench(digitsOf(found)),
  },
  {
    shape: shaped('[A-Z]{6}\\d{2}[A-EHLMPRST]\\d{2}[A-Z]\\d{3}[A-Z]'),
    isRight: checks.isItalian,
  },
  {
    shape: shaped('\\d{9}'),
    isRight: checks.isDutch,
    words: /(?:bsn|burgerservicenummer|sofinummer)[\s:.#=is]{0,6}$/i,
  },
  {
    shape: shaped('\\d{11}'),
    isRight: checks.isPolish,
    words: /pesel[\s:.#=is]{0,6}$/i,
  },
  {
    shape: shaped('\\d{3}\\.\\d{3}\\.\\d{3}-\\d{2}'),
    isRight: (found) => checks.isBrazilian(digitsOf(found)),
  },
  {
    shape: shaped(
      '[1-9]\\d{5}(?:19|20)\\d{2}(?:0[1-9]|1[0-2])(?:0[1-9]|[12]\\d|3[01])\\d{3}[\\dXx]',
    ),
    isRight: checks.isChinese,
  },
  {
    // Not a part of longer groups of digits.
    shape: shaped('(?<!\\d )[2-9]\\d{3} \\d{4} \\d{4}(?! \\d)'),
    isRight: (found) => checks.isIndian(digitsOf(found)),
  },
  {
    shape: shaped(
      '(?:19|20)?\\d{2}(?:0[1-9]|1[0-2])(?:0[1-9]|[12]\\d|3[01])[-+]\\d{4}',
    ),
    isRight: (found) => checks.isSwedish(digitsOf(found)),
  },
  {
    shape: shaped('\\d{3}[ -]\\d{3}[ -]\\d{3}'),
    isRight: (found) => checks.isCanadian(digitsOf(found)),
    words: /(?:\bsin|social insurance(?: number| no)?)[\s:.#=is]{0,6}$/i,
  },
]

/** Numbers that states give to people, as far as their sums are right. */
export function findNationalIds(text: string, spans: Spans): void {
  for (const { shape, isRight, words } of ids) {
    for (const { index, 0: found } of text.matchAll(shape)) {
      if (!isRight(found)) continue
      if (words && !isSpokenOf(text, index, { words, chars: 48 })) continue
      spans.add(index, index + found.length, 'national-id')
    }
  }
}
