import { cutText } from '../data/cut-text.ts'
import { nearestName } from '../data/nearest-name.ts'
import type { ConfigLayer } from './layer.ts'
import type { Place } from './node.ts'

/** What can be wrong with a configuration. `docs/errors.md` explains every code. */
export type ProblemCode =
  // A file as such.
  | 'unreadable'
  | 'missing-file'
  | 'unsettled'
  | 'empty'
  | 'too-large'
  | 'too-deep'
  | 'not-utf8'
  | 'byte-order-mark'
  | 'syntax'
  | 'alias'
  | 'duplicate-key'
  | 'forbidden-key'
  | 'not-data'
  | 'code-failed'
  | 'needs-trust'
  // What it says.
  | 'future-version'
  | 'unknown-key'
  | 'missing-key'
  | 'wrong-type'
  | 'wrong-value'
  | 'conflict'
  | 'unknown-point'
  | 'unknown-builtin'
  | 'unknown-entry'
  | 'unknown-field'
  | 'unknown-operator'
  | 'unknown-capability'
  | 'bad-glob'
  | 'bad-regex'
  | 'never-matches'
  | 'not-at-point'
  | 'missing-program'
  | 'too-many-problems'
  // What it may not say, or says against another.
  | 'refused-key'
  | 'managed-hook'
  | 'duplicate-name'
  | 'same-hook'
  | 'shadowed'
  | 'unknown-name'
  | 'too-many-hooks'
  | 'watch-failed'

/** One thing that is wrong, and where. */
export interface ConfigProblem {
  readonly code: ProblemCode
  /**
   * An error: what the file asks for is not done. A warning: at most the entry
   * that it is about has no effect.
   */
  readonly severity: 'error' | 'warning'
  readonly layer: ConfigLayer
  readonly file: string
  readonly line: number
  readonly column: number
  /** In the data, such as `hooks[0].match.tool`; empty for the whole file. */
  readonly path: string
  /** A sentence that says what to do. */
  readonly message: string
  /** The right word that is nearest to the wrong one. */
  readonly suggestion?: string
}

export type Path = readonly (string | number)[]

/** What is known of a problem where it is found. */
export interface Found {
  readonly code: ProblemCode
  readonly at: Place
  readonly path: Path
  readonly message: string
  readonly suggestion?: string | undefined
  /** Default: an error. */
  readonly severity?: ConfigProblem['severity']
}

const plain = /^[\w$-]{1,80}$/

/** A path as people write it; long and odd keys are cut and quoted. */
export function pathText(path: Path): string {
  let text = ''
  for (const part of path) {
    if (typeof part === 'number') text += `[${part}]`
    else if (!plain.test(part)) text += `[${quote(part)}]`
    else text += text === '' ? part : `.${part}`
  }
  return text
}

/** A word of the file in a message: it can be of any length and hold anything. */
export function quote(word: string): string {
  const cut = cutText(word, 80).toWellFormed()
  return JSON.stringify(cut).replace(/[\p{Cc}\p{Cf}\u2028\u2029]/gu, '?')
}

const maxWordLength = 64
const maxKnown = 200

/** The known word that was most likely meant, where that is worth the time. */
export function nearest(
  word: string,
  known: readonly string[],
): string | undefined {
  if (word.length > maxWordLength || known.length > maxKnown) return undefined
  return nearestName(word, known)
}

/** How a sentence about an unknown word ends. */
export function hint(
  suggestion: string | undefined,
  known: readonly string[],
): string {
  return suggestion === undefined
    ? `; use one of: ${known.join(', ') || 'none'}.`
    : `; did you mean ${quote(suggestion)}?`
}
