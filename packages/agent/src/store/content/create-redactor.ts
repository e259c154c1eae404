import { createHmac } from 'node:crypto'
import { findNamed } from '../../scan/secrets/named-secrets.ts'
import { createSecretNames } from '../../scan/secrets/secret-names.ts'
import { findShapes } from '../../scan/secrets/secret-shapes.ts'
import { Spans } from '../../scan/spans.ts'
import { escapeText } from './escape-text.ts'
import { ExactSecrets, minSecretChars } from './exact-secrets.ts'
import type { Redactor } from './redact.ts'
import { redactData } from './redact-data.ts'

export interface RedactorOptions {
  /** Values that are secrets, whatever they look like. */
  readonly secrets?: readonly string[]
  /** Names whose values are secrets, beside those that are known. */
  readonly names?: readonly string[]
  /**
   * With it equal secrets are replaced by equal marks. The marks are keyed
   * hashes: without the key nobody can try out what the secret was.
   */
  readonly markKey?: Uint8Array | string
}

/** A redactor that learns further secrets as they become known. */
export interface SecretRedactor extends Redactor {
  /** From now on this value is taken out, wherever it stands. */
  add(secret: string): void
}

/**
 * Knows secrets by their shape, by the names they have, and those it was told.
 * It must be given whole values: a secret in two halves is not seen.
 */
export function createRedactor(options: RedactorOptions = {}): SecretRedactor {
  const { secrets = [], names = [], markKey } = options
  const isSecretName = createSecretNames(names)
  const exact = new ExactSecrets()
  for (const secret of secrets) exact.add(secret)
  const markOf = createMarks(markKey)
  const clean = (given: string) => {
    const text = withoutCutWord(given)
    const spans = new Spans()
    exact.find(text, spans)
    findShapes(text, spans)
    findNamed(text, isSecretName, spans)
    return spans.isEmpty ? text : spans.replace(text, markOf)
  }
  return {
    text: (text) => escapeText(clean(text)),
    data: (value) => redactData(value, { clean, markOf, isSecretName }),
    add: (secret) => exact.add(secret),
  }
}

/** Of a text that was cut, the last word may be the half of a secret. */
function withoutCutWord(text: string): string {
  if (!text.endsWith(cutMark)) return text
  let end = text.length - cutMark.length
  while (end > 0 && !isSpace(text.charCodeAt(end - 1))) end--
  return text.slice(0, end) + cutMark
}

const cutMark = '…'

function isSpace(code: number): boolean {
  return code === 0x20 || (code >= 0x09 && code <= 0x0d)
}

/** Values of an environment that are secrets, going by their names. */
export function secretsOf(
  environment: Readonly<Record<string, string | undefined>>,
): readonly string[] {
  const isSecretName = createSecretNames([])
  return Object.entries(environment).flatMap(([name, value = '']) => {
    const isLong = value.length >= minSecretChars
    const isSecret = isSecretName(name) && !workingFolders.has(name)
    return isLong && isSecret ? [value] : []
  })
}

/** Where a shell is and was: by their names they could be passwords. */
const workingFolders: ReadonlySet<string> = new Set(['PWD', 'OLDPWD'])

const mark = '[redacted]'
const isMark = /^\[redacted(?::[0-9a-f]{12})?\]$/

function createMarks(
  key: Uint8Array | string | undefined,
): (secret: string) => string {
  if (key === undefined) return () => mark
  return (secret) => {
    if (isMark.test(secret)) return secret
    const hash = createHmac('sha256', key).update(secret).digest('hex')
    return `[redacted:${hash.slice(0, 12)}]`
  }
}
