import { HookError, type LoadCode } from 'hookline'
import { hookOf } from './hook-of.ts'

/** What somebody threw, as text. It can be anything; even to look may throw. */
export function errorText(thrown: unknown): string {
  try {
    const text = thrown instanceof Error ? thrown.message : thrown
    return typeof text === 'string' ? text : String(text)
  } catch {
    return 'It threw what cannot be read.'
  }
}

/**
 * The same for models, who repeat what they are told, and for users: a hook is
 * not named, as they may be ones who may not see it.
 */
export function namelessText(thrown: unknown): string {
  // What is wrong with several hooks may name each of them, in any words.
  if (isOfLoading(thrown)) return 'Its hooks do not fit together.'
  const text = errorText(thrown)
  const hook = hookOf(thrown)
  return hook === undefined ? text : text.replace(`Hook "${hook}"`, 'A hook')
}

function isOfLoading(thrown: unknown): boolean {
  try {
    return thrown instanceof HookError && Object.hasOwn(loadCodes, thrown.code)
  } catch {
    // Even to look at it may throw.
    return false
  }
}

const loadCodes: Readonly<Record<LoadCode, true>> = {
  'invalid-point': true,
  'invalid-hook': true,
  'invalid-match': true,
  'duplicate-name': true,
  'dependency-missing': true,
  'dependency-disabled': true,
  'dependency-elsewhere': true,
  'dependency-self': true,
  'dependency-cycle': true,
  'dependency-unwaited': true,
  'gate-before-writer': true,
  'too-many-hooks': true,
}
