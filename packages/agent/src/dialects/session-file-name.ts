import { createHash } from 'node:crypto'

/** What a file of a session is called; no two sessions have the same. */
export function sessionFileName(sessionId: string): string {
  if (/^[\w.-]{1,100}$/.test(sessionId)) return sessionId
  const plain = sessionId.replace(/[^\w.-]/g, '_').slice(0, 100)
  const hash = createHash('sha256').update(sessionId).digest('hex')
  // A plus sign is in no id that is taken as it is.
  return `${plain || 'none'}+${hash.slice(0, 32)}`
}
