import type { NetworkAccess } from 'hookline/lifecycle'
import { intersectCovers, widest } from './covers.ts'

const longestHost = 253
// Labels between dots; a wildcard stands only for whole labels at the start.
const hostPattern =
  /^(?:\*|(?:\*\.)?[\p{L}\p{M}\p{N}_:[\]-]+(?:\.[\p{L}\p{M}\p{N}_:[\]-]+)*)$/u

/** Reads an access; undefined where it is none, or an entry is no host. */
export function readNetwork(value: unknown): NetworkAccess | undefined {
  if (value === 'none' || value === 'all') return value
  if (typeof value !== 'object' || value === null) return undefined
  const listed = 'hosts' in value ? value.hosts : undefined
  if (!Array.isArray(listed)) return undefined
  const hosts: string[] = []
  for (const entry of listed) {
    const host = normaliseHost(entry)
    if (host === undefined) return undefined
    hosts.push(host)
  }
  return accessTo(widest(hosts, hostsAbove))
}

/** What both reach. */
export function intersectNetworks(
  one: NetworkAccess,
  other: NetworkAccess,
): NetworkAccess {
  if (one === 'none' || other === 'none') return 'none'
  if (one === 'all') return other
  if (other === 'all') return one
  return accessTo(intersectCovers([one.hosts, other.hosts], hostsAbove))
}

function accessTo(hosts: readonly string[]): NetworkAccess {
  return hosts.length === 0 ? 'none' : Object.freeze({ hosts })
}

function normaliseHost(host: unknown): string | undefined {
  if (typeof host !== 'string' || host.length > longestHost) return undefined
  // The dot of a full name; `*.` is no name, and must not become `*`.
  const plain = host.toLowerCase().replace(/(?<!\*)\.$/, '')
  return hostPattern.test(plain) ? plain : undefined
}

/** `*.b.c` is above `a.b.c` and `*.a.b.c`, but not above `b.c` itself. */
function hostsAbove(host: string): string | undefined {
  if (host === '*') return undefined
  const name = host.startsWith('*.') ? host.slice(2) : host
  const dot = name.indexOf('.')
  return dot < 0 ? '*' : `*${name.slice(dot)}`
}
