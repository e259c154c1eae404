import { HookError } from 'hookline'

/** The hook by which something failed, if one did. */
export function hookOf(thrown: unknown): string | undefined {
  try {
    if (thrown instanceof HookError) return thrown.hook
    const cause = thrown instanceof Error ? thrown.cause : undefined
    return cause instanceof HookError ? cause.hook : undefined
  } catch {
    // Even to look at it may throw.
    return undefined
  }
}
