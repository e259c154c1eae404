import { stripVTControlCharacters } from 'node:util'
import { truncate } from 'hookline'

/** What a program said to people: without colours, controls and secrets. */
export function cleanOutput(
  text: string,
  { maxPoints, secrets }: { maxPoints: number; secrets: readonly string[] },
): string {
  let plain = stripVTControlCharacters(text.toWellFormed())
  for (const secret of secrets) plain = plain.replaceAll(secret, '[secret]')
  const clean = plain.replace(unprintable, '').trim()
  const { text: short, cut } = truncate(clean, maxPoints)
  return cut ? `${short}…` : short
}

/** What is worth hiding: a short value would hide half of a sentence. */
export function secretsOf(
  env: Readonly<Record<string, string>>,
  names: readonly string[],
): string[] {
  const values = names.map((name) => env[name] ?? '')
  return values.filter((value) => value.length >= minSecretLength)
}

const minSecretLength = 8

// Controls except tab and newline, and the marks that reorder text.
const unprintable =
  // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what it removes
  /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/g
