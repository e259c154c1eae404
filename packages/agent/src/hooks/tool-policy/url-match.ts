import type { Certainty } from '../shared/shell/word.ts'

export interface UrlCondition {
  /** The argument that holds it. */
  readonly argument: string
  /** Such as `https`. */
  readonly schemes?: readonly string[]
  /** Hosts; those below them count, too. */
  readonly hosts?: readonly string[]
  readonly ports?: readonly number[]
  /** Whether it leads to this machine or to a network that is not public. */
  readonly isPrivate?: boolean
  /** Whether it has a name or password before the host. */
  readonly hasUser?: boolean
}

/** Whether an address is what a condition says; `maybe`: it cannot be told. */
export function matchUrl(given: unknown, condition: UrlCondition): Certainty {
  const url = parseUrl(given)
  if (url === undefined) return 'maybe'
  const { schemes, hosts, ports, isPrivate, hasUser } = condition
  const host = plainHost(url)
  const checks = [
    schemes?.some((scheme) => `${scheme.toLowerCase()}:` === url.protocol),
    hosts?.some((one) => isHost(host, one)),
    ports?.includes(portOf(url)),
    isPrivate === undefined || isPrivateHost(host) === isPrivate,
    hasUser === undefined || (url.username + url.password !== '') === hasUser,
  ]
  return checks.every((check) => check !== false) ? 'yes' : 'no'
}

/** Only what all programs read the same way. */
function parseUrl(given: unknown): URL | undefined {
  if (typeof given !== 'string' || given.length > 8_192) return undefined
  // Some drop these, some end the host there.
  if (/[\s\\]|[^\P{Cc}]/u.test(given)) return undefined
  const [, authority] = /^[a-z][a-z\d+.-]*:\/\/([^/?#]*)/i.exec(given) ?? []
  if (authority === undefined || authority.split('@').length > 2) {
    return undefined
  }
  if (/%/.test(authority.slice(authority.indexOf('@') + 1))) return undefined
  return URL.canParse(given) ? new URL(given) : undefined
}

/** Without the dot at its end; numbers in any notation are one already. */
function plainHost({ hostname, protocol }: URL): string {
  const host = hostname.toLowerCase().replace(/\.+$/, '')
  const isSpecial = /^(?:https?|wss?|ftp):$/.test(protocol)
  if (isSpecial || !URL.canParse(`http://${host}`)) return mapped(host)
  // Other schemes keep a host as it is written.
  return mapped(new URL(`http://${host}`).hostname)
}

const ipv4 = /^\d+\.\d+\.\d+\.\d+$/

/** An address of four numbers that is written as one of eight. */
function mapped(host: string): string {
  const [, high, low] =
    /^\[::(?:ffff:(?:0:)?)?([\da-f]{1,4}):([\da-f]{1,4})\]$/.exec(host) ??
    /^\[64:ff9b::([\da-f]{1,4}):([\da-f]{1,4})\]$/.exec(host) ??
    []
  if (high === undefined || low === undefined) return host
  const [a, b] = [Number.parseInt(high, 16), Number.parseInt(low, 16)]
  return `${a >> 8}.${a & 255}.${b >> 8}.${b & 255}`
}

function isHost(host: string, given: string): boolean {
  const bare = given.replace(/^\*\./, '')
  if (!URL.canParse(`http://${bare}`)) return false
  const wanted = mapped(new URL(`http://${bare}`).hostname.replace(/\.+$/, ''))
  return host === wanted || (!ipv4.test(host) && host.endsWith(`.${wanted}`))
}

const defaultPorts: Readonly<Record<string, number>> = {
  'http:': 80,
  'https:': 443,
  'ws:': 80,
  'wss:': 443,
  'ftp:': 21,
  'ssh:': 22,
}

function portOf({ port, protocol }: URL): number {
  return port === '' ? (defaultPorts[protocol] ?? 0) : Number(port)
}

function isPrivateHost(host: string): boolean {
  if (host === '' || !host.includes('.')) {
    if (!host.startsWith('[')) return true
    return /^\[(?:::1?|f[cd].*|fe[89ab].*|ff.*)\]$/.test(host)
  }
  if (/\.(?:localhost|local|internal|home\.arpa|lan|intranet)$/.test(host)) {
    return true
  }
  if (!ipv4.test(host)) return false
  const [a = 0, b = 0] = host.split('.').map(Number)
  if ([0, 10, 127].includes(a) || a >= 224) return true
  if (a === 172) return b >= 16 && b < 32
  if (a === 192) return b === 168 || b === 0
  return (
    (a === 169 && b === 254) ||
    (a === 100 && b >= 64 && b < 128) ||
    (a === 198 && (b === 18 || b === 19))
  )
}
