import type { SessionHost } from './session-host.ts'

/**
 * Gives a session that cannot go on here to whoever comes next. Why it cannot
 * is what is told, also where this fails.
 */
export async function letGo(
  { parts: { store } }: SessionHost,
  id: string,
): Promise<void> {
  try {
    await store?.release?.(id)
  } catch {
    // Its lease runs out with the process.
  }
}
