import type { Transport, TransportRequest } from './client-transport.ts'
import { ProtocolError } from './errors.ts'

export type Fetch = typeof globalThis.fetch

/** Asks over a URL, with the `fetch` of whatever platform this is. */
export function fetchTransport(url: string, ask: Fetch): Transport {
  const base = url.replace(/\/+$/, '')
  return {
    where: base,
    async send({ method, path, headers, body, signal }: TransportRequest) {
      const answer = await ask(`${base}${path}`, {
        method,
        headers,
        // A token goes where it was meant to go, and nowhere else.
        redirect: 'error',
        credentials: 'omit',
        cache: 'no-store',
        ...(body === undefined ? {} : { body }),
        ...(signal === undefined ? {} : { signal }),
      })
      return {
        status: answer.status,
        header: (name) => answer.headers.get(name) ?? undefined,
        text: () => answer.text(),
        async *pieces() {
          const reader = answer.body?.getReader()
          if (reader === undefined) return
          try {
            for (;;) {
              const { done, value } = await reader.read()
              if (done) return
              yield value
            }
          } finally {
            await reader.cancel().catch(() => undefined)
          }
        },
      }
    },
    close: () => undefined,
  }
}

/** Throws unless a token may be sent there. */
export function checkUrl(url: string, mayBeRead: boolean): void {
  if (!URL.canParse(url)) throw bad(`"${url}" is no URL.`)
  const { protocol, hostname, username, password, search, hash } = new URL(url)
  if (protocol !== 'http:' && protocol !== 'https:') {
    throw bad(`A daemon is reached by http or https, not by "${protocol}".`)
  }
  if (username || password || search || hash) {
    throw bad(
      'The URL of a daemon holds no user, query or fragment; give the token as `token`.',
    )
  }
  if (protocol === 'https:' || mayBeRead || isLoopback(hostname)) return
  throw bad(
    `A token for "${hostname}" could be read on its way; use https, or, in code, set \`remote: 'without-tls'\`.`,
  )
}

const bad = (message: string) => new ProtocolError('bad-request', message)

function isLoopback(hostname: string): boolean {
  return (
    hostname === 'localhost' ||
    hostname === '[::1]' ||
    /^127\.\d+\.\d+\.\d+$/.test(hostname)
  )
}
