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
  const text = errorText(thrown)
  const hook = hookOf(thrown)
  return hook === undefined ? text : text.replace(`Hook "${hook}"`, 'A hook')
}
