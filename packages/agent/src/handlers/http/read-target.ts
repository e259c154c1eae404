import { isIP } from 'node:net'
import { HandlerFailure } from '../handler-failure.ts'
import { isWithin, type Reach } from './address-rules.ts'
import { blockedAddress } from './guarded-lookup.ts'

/** Where a request goes, checked as far as its URL tells. */
export interface Target {
  readonly isTls: boolean
  /** A name, or an address without brackets. */
  readonly host: string
  readonly port: number
  /** With the query. */
  readonly path: string
  readonly reach: Reach
  /** The same for all requests that share connections, limits and a breaker. */
  readonly endpoint: string
}

/**
 * Reads a URL. Odd spellings of an address are plain ones afterwards, and one
 * that is written out is checked here: nobody looks it up.
 */
export function readTarget(url: string, allowPrivate = false): Target {
  const parsed = URL.parse(url)
  if (parsed === null) throw refused('is no URL; write it out with its https:')
  const { protocol, hostname, username, password, origin, pathname } = parsed
  if (username !== '' || password !== '') {
    throw refused('holds a user or password; put them into a header')
  }
  const isTls = protocol === 'https:'
  if (!isTls && protocol !== 'http:') throw refused('is not https; use that')
  if (!isTls && !allowPrivate) {
    const problem = 'is http, which is for this machine with allowPrivate only'
    throw refused(`${problem}; use https`)
  }
  const reach = isTls ? (allowPrivate ? 'any' : 'public') : 'loopback'
  const host = hostname.replace(/^\[|\]$/g, '')
  if (isIP(host) !== 0 && !isWithin(host, reach)) {
    throw blockedAddress(host, reach)
  }
  return {
    isTls,
    host,
    port: Number(parsed.port || (isTls ? 443 : 80)),
    path: `${pathname}${parsed.search}`,
    reach,
    endpoint: `${reach} ${origin}${pathname}`,
  }
}

/** Says nothing of the URL itself, which may hold a secret. */
function refused(problem: string): HandlerFailure {
  return new HandlerFailure('blocked-address', `The URL ${problem}.`)
}
