import { wordsOf } from './fold-words.ts'
import { stemEnglish } from './stem-english.ts'
import { stemGerman } from './stem-german.ts'
import { stemSpanish } from './stem-spanish.ts'
import { isStopWord } from './stop-words.ts'

const maxQueryTerms = 64

/**
 * All that a text is found by. Nobody has to know its language: a word is there
 * as it is, and as the stems that the languages would give it.
 */
export function termsOf(text: string): readonly string[] {
  return wordsOf(text).flatMap((word) => piecesOf(word).flatMap(formsOf))
}

/** What is looked for: for each word, the terms that it may be found by. */
export type TermGroup = readonly [exact: string, ...stems: string[]]

/** Words that say nothing count only where there is nothing else. */
export function queryTerms(query: string): readonly TermGroup[] {
  const words = [...new Set(wordsOf(query))].slice(0, maxQueryTerms)
  const telling = words.filter((word) => !isStopWord(word))
  const pieces = (telling.length > 0 ? telling : words).flatMap(piecesOf)
  return [...new Set(pieces)].slice(0, maxQueryTerms).map(formsOf)
}

// Scripts that do not put spaces between words, and one that glues particles.
const unspaced =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}ー々]+/gu
const han = /\p{Script=Han}/u
const katakana = /^[\p{Script=Katakana}ー]{3,}$/u

/** A word as it is; of scripts without spaces, its characters in pairs. */
function piecesOf(word: string): readonly string[] {
  if (word.search(unspaced) < 0) return [word]
  const rest = word.split(unspaced).filter((part) => part !== '')
  const runs = word.match(unspaced) ?? []
  return [...rest, ...runs.flatMap(pairsOf)]
}

function pairsOf(run: string): readonly string[] {
  const signs = Array.from(run)
  if (signs.length === 1) return [run]
  const pairs = signs.slice(1).map((sign, index) => `${signs[index]}${sign}`)
  const single = signs.filter((sign) => han.test(sign))
  const loans = run.match(/[\p{Script=Katakana}ー]+/gu) ?? []
  const whole = loans.filter((loan) => katakana.test(loan) && loan !== run)
  return [...pairs, ...single, ...whole]
}

function formsOf(piece: string): TermGroup {
  const stems = [stemEnglish(piece), stemGerman(piece), stemSpanish(piece)]
  const others = new Set(stems)
  others.delete(piece)
  return [piece, ...others]
}
