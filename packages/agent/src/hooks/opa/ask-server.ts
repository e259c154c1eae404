import type { Clock } from 'hookline'
import { createHandlers, readStrictJson } from '../../handlers.ts'

export interface ServerParts {
  /** Of the rule, in OPA's data API. */
  readonly url: string
  readonly token: string | undefined
  readonly timeoutMs: number
  readonly clock: Clock
}

interface Asking {
  readonly signal: AbortSignal
  readonly diagnose: (code: string, message: string) => void
}

/** What a rule comes to, of what is JSON; undefined: nothing. */
export type AskServer = (input: unknown, asking: Asking) => Promise<unknown>

const maxBodyBytes = 65_536

/** Asks a running OPA, by the rules that handlers of hooks have for requests. */
export function createServer(parts: ServerParts): AskServer {
  const { url, token, timeoutMs, clock } = parts
  // Never closed: connections that nobody uses end by themselves.
  const { sender } = createHandlers({ requests: { clock } })
  const headers = {
    ...(token !== undefined && { authorization: `Bearer ${token}` }),
  }
  return async (input, { signal, diagnose }) => {
    const { status, body } = await sender.send({
      ...{ url, headers, timeoutMs, signal, diagnose, maxBodyBytes },
      body: JSON.stringify({ input }),
      // A sidecar, most of all: http reaches this machine alone all the same.
      allowPrivate: true,
      // To be asked twice changes nothing at the server.
      mayRepeat: true,
      concurrency: 32,
    })
    if (status !== 200) {
      throw new Error(`OPA answered with status ${status}.`)
    }
    return resultIn(body)
  }
}

function resultIn(body: string): unknown {
  const { value, problem } = readStrictJson(body, { maxBytes: maxBodyBytes })
  if (problem !== undefined) {
    throw new Error(`OPA's answer cannot be read: ${problem.message}`)
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    throw new Error("OPA's answer is no object.")
  }
  return Object.hasOwn(value, 'result')
    ? Reflect.get(value, 'result')
    : undefined
}

/** Where OPA's data API has a rule; throws what is wrong with an address. */
export function ruleUrl(server: string, entrypoint: string): string {
  const base = URL.parse(server)
  if (base === null) throw new Error('is no URL')
  const { protocol, hostname, username, password, search, hash } = base
  if (username !== '' || password !== '') {
    throw new Error('holds a user or password; use tokenEnv')
  }
  if (search !== '' || hash !== '') throw new Error('has more than a path')
  if (protocol === 'http:' && !isHere(hostname)) {
    throw new Error('is http, which is for this machine only; use https')
  }
  const path = entrypoint.split('/').map(encodeURIComponent).join('/')
  base.pathname = `${base.pathname.replace(/\/+$/, '')}/v1/data/${path}`
  return base.href
}

/** As it is written; what a name stands for is looked at with every request. */
function isHere(hostname: string): boolean {
  return /^(?:localhost|127(?:\.\d+){3}|\[::1\])$/.test(hostname)
}
