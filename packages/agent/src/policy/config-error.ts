import { AgentError } from '../ports/agent-error.ts'

/** Says what is wrong with which part of a policy's configuration. */
export function configError(
  key: string,
  problem: string,
  cause?: unknown,
): AgentError {
  const message = `The policy's \`${key}\` ${problem}.`
  return new AgentError('invalid-config', message, cause)
}

/** Refuses keys that nothing reads: a slip there would fail open. */
export function checkKeys(
  given: object,
  known: readonly string[],
  at: string,
): void {
  for (const key of Object.keys(given)) {
    if (known.includes(key)) continue
    throw configError(`${at}${key}`, `is unknown; use ${known.join(', ')}`)
  }
}

export function readWord<Word extends string>(
  value: unknown,
  words: readonly Word[],
  key: string,
): Word {
  const word = words.find((one) => one === value)
  if (word === undefined) {
    throw configError(key, `is none of ${words.join(', ')}`)
  }
  return word
}
