/** What somebody threw, as text. It can be anything; even to look may throw. */
export function errorText(thrown: unknown): string {
  try {
    const text = thrown instanceof Error ? thrown.message : thrown
    return typeof text === 'string' ? text : String(text)
  } catch {
    return 'It threw what cannot be read.'
  }
}
