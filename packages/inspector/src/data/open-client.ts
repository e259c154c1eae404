import { type Client, createClient, routes } from '@hookline/daemon/client'
import type { Connection } from './connection.ts'

const streamPath = routes.watchAll.path
const attendPath = /\/attend$/

interface ClientParts {
  readonly token?: string | undefined
  readonly connection?: Connection | undefined
  /** The stream of everything is open. */
  readonly onOpen?: () => void
}

/**
 * The daemon that this page came from. Every answer shows that it is there, and
 * every request without one that it is not.
 */
export function openClient(parts: ClientParts = {}): Client {
  const { token, connection, onOpen } = parts
  const watchedFetch: typeof fetch = async (input, init) => {
    const path = pathOf(input)
    try {
      const answer = await fetch(input, {
        ...init,
        // That somebody leaves is also told by a page that is closed.
        keepalive: attendPath.test(path),
      })
      connection?.noteAnswer()
      if (answer.ok && path === streamPath) onOpen?.()
      return answer
    } catch (error) {
      if (!init?.signal?.aborted) connection?.set('reconnecting')
      throw error
    }
  }
  return createClient({
    url: location.origin,
    token,
    fetch: watchedFetch,
    // The page may be where others than this machine can read along; then it
    // came that way itself, and says nothing that it was not let to say.
    remote: 'without-tls',
    // Whoever follows a stream says when it is opened again.
    reconnect: { giveUpMs: -1 },
  })
}

function pathOf(input: RequestInfo | URL): string {
  const url = input instanceof Request ? input.url : input
  return new URL(url, location.origin).pathname
}
