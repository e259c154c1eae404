import type { Client } from '@hookline/daemon/client'
import { randomKey } from '../random-key.ts'

/** The daemon believes it for longer. */
const againMs = 30_000

/**
 * Somebody looks at a session, and can be asked. Call the result when they go;
 * it is not said of a page that is out of sight.
 */
export function attend(
  client: Pick<Client, 'attend'>,
  sessionId: string,
): () => void {
  const place = randomKey()
  const say = (isLeaving: boolean) => {
    // Who is not heard is not asked; that is all.
    client.attend({ sessionId, place, isLeaving }).catch(() => undefined)
  }
  const look = () => {
    if (document.visibilityState === 'visible') say(false)
  }
  const leave = () => say(true)
  const timer = setInterval(look, againMs)
  document.addEventListener('visibilitychange', look)
  window.addEventListener('pagehide', leave)
  look()
  return () => {
    clearInterval(timer)
    document.removeEventListener('visibilitychange', look)
    window.removeEventListener('pagehide', leave)
    leave()
  }
}
