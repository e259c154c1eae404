import type { Find, Finding } from '../finding.ts'
import { findThrough, foldSigns } from '../folded-text.ts'
import { joinFindings, Spans } from '../spans.ts'
import { isLikely, isLikelyNamed } from './likely-secrets.ts'
import { findNamed } from './named-secrets.ts'
import { createSecretNames } from './secret-names.ts'
import { findShapes } from './secret-shapes.ts'

/** Longer than any secret with spaces in it begins. */
export const secretWaitingChars = 96

/** The kinds of secrets that are told apart. */
export const secretKinds = [
  'anthropic',
  'app',
  'aws',
  'azure',
  'basic',
  'bearer',
  'databricks',
  'discord',
  'github',
  'gitlab',
  'google',
  'jwt',
  'named',
  'npm',
  'openai',
  'private-key',
  'pypi',
  'sendgrid',
  'slack',
  'stripe',
  'telegram',
  'twilio',
  'url',
  'user',
] as const

export type SecretKind = (typeof secretKinds)[number]

export interface SecretFinderOptions {
  /** Kinds that are not looked for. */
  readonly except?: readonly string[]
  /** Names whose values are secrets, beside those that are known. */
  readonly names?: readonly string[]
}

export interface SecretFinder {
  readonly find: Find
  /** Whether a value is a secret, going by its name. */
  readonly isNamed: (name: string, value: string) => boolean
}

/**
 * Finds what is most likely a secret: fewer things than a redactor of records
 * takes out, because here what is no secret must stay as it is.
 */
export function createSecretFinder({
  except = [],
  names = [],
}: SecretFinderOptions = {}): SecretFinder {
  const isSecretName = createSecretNames(names)
  const left = new Set(except)
  const find: Find = (text) => {
    const spans = new Spans()
    findShapes(text, spans)
    findNamed(text, isSecretName, spans)
    const narrowed = spans.list
      .map((one) => narrow(text, one))
      .filter(({ kind }) => !left.has(kind))
    return joinFindings(
      narrowed.filter((one) =>
        one.kind === 'named'
          ? isLikelyNamed(() => nameBefore(text, one), valueAt(text, one))
          : isLikely(one.kind, valueAt(text, one)),
      ),
    )
  }
  return {
    find: findThrough(find, foldSigns),
    isNamed: (name, value) =>
      !left.has('named') &&
      isSecretName(name) &&
      isLikelyNamed(() => name, value),
  }
}

// A value is looked at no further; what is longer is a secret by its beginning.
const maxValueChars = 4_096

function valueAt(text: string, { start, end }: Finding): string {
  return text.slice(start, Math.min(end, start + maxValueChars))
}

/** Of an address only the password; of a line only the first word. */
function narrow(text: string, finding: Finding): Finding {
  const { kind, start, end } = finding
  if (kind === 'named') return { kind, start, end: wordEnd(text, finding) }
  if (kind !== 'url' && kind !== 'user') return finding
  const colon = text.indexOf(':', start)
  const isInside = colon !== -1 && colon < end
  return { kind, start: isInside ? colon + 1 : end, end }
}

/** Where the first word of a value ends, without what closes it. */
function wordEnd(text: string, { start, end }: Finding): number {
  const limit = Math.min(end, start + maxValueChars)
  let at = start
  while (at < limit && text.charCodeAt(at) > 0x20) at++
  while (at > start && ',;)]}'.includes(text.charAt(at - 1))) at--
  return at
}

/** The name that a value stands after, past blanks, quotes and signs. */
function nameBefore(text: string, { start }: Finding): string {
  const near = text.slice(Math.max(0, start - 96), start)
  let end = near.length
  while (end > 0 && !/\w/.test(near.charAt(end - 1))) end--
  let from = end
  while (from > 0 && /[\w.-]/.test(near.charAt(from - 1))) from--
  return near.slice(from, end)
}
