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
  const address = plainHost(url)
  const host = mapped(address)
  const checks = [
    schemes?.some((scheme) => `${scheme.toLowerCase()}:` === url.protocol),
    hosts?.some((one) => isHost(host, one)),
    ports?.includes(portOf(url)),
    isPrivate === undefined ||
      (isPrivateHost(host) || localTranslation.test(address)) === isPrivate,
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
  if (isSpecial || !URL.canParse(`http://${host}`)) return host
  // Other schemes keep a host as it is written.
  return new URL(`http://${host}`).hostname
}

const ipv4 = /^\d+\.\d+\.\d+\.\d+$/

/** An address of four numbers within one of eight: mapped, or on its way. */
function mapped(host: string): string {
  if (!host.startsWith('[')) return host
  const groups = groupsOf(host.slice(1, -1))
  const [a = 0, b = 0, c = 0, d = 0, e = 0, f = 0, g = 0, h = 0] = groups
  const isLow = a + b + c + d === 0 && (e === 0 || e === 0xffff)
  // As `::` and `::1` are of their own; `::ffff:0:0` is 0.0.0.0.
  const isMapped = isLow && (f === 0xffff || (f === 0 && g > 0))
  const isTranslated = a === 0x64 && b === 0xff9b
  if (isMapped || isTranslated) return fourOf(g, h)
  return a === 0x2002 ? fourOf(b, c) : host
}

/** The eight numbers of an address as URLs have it. */
function groupsOf(address: string): readonly number[] {
  const [head = '', tail] = address.split('::')
  const read = (part: string) =>
    part === '' ? [] : part.split(':').map((one) => Number.parseInt(one, 16))
  const [before, after] = [read(head), read(tail ?? '')]
  const zeros = Math.max(0, 8 - before.length - after.length)
  return [...before, ...Array<number>(zeros).fill(0), ...after]
}

const fourOf = (high: number, low: number) =>
  `${high >> 8}.${high & 255}.${low >> 8}.${low & 255}`

/** Whether a text is a host and nothing else, with `*.` before it or not. */
export function isHostName(given: string): boolean {
  const bare = given.replace(/^\*\./, '')
  if (/[\s/\\?#@*%]|:\d*$/.test(bare.replace(/^\[.*\]$/, ''))) return false
  return !bare.startsWith('.') && URL.canParse(`http://${bare}`)
}

function isHost(host: string, given: string): boolean {
  const bare = given.replace(/^\*\./, '')
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

/** Of a network's own translator: it alone knows which four are meant. */
const localTranslation = /^\[64:ff9b:[\da-f]/

/** All that there is of the internet is 2000::/3. */
const ofInternet = /^\[[23][\da-f]{3}:/
/** Tunnels, benchmarks, documentation. */
const ofNobody =
  /^\[(?:2001:(?::|[\da-f]{1,2}:|1[\da-f]{2}:|db8:)|3fff:(?::|[\da-f]{1,3}:))/

/** Knows what `handlers/http` does not ask, which hooks cannot import. */
function isPrivateHost(host: string): boolean {
  if (host.startsWith('[')) return !ofInternet.test(host) || ofNobody.test(host)
  if (!host.includes('.')) return true
  if (
    /\.(?:localhost|localdomain[46]?|local|internal|home\.arpa|home|lan|intranet|corp|private|svc)$/.test(
      host,
    )
  ) {
    return true
  }
  if (!ipv4.test(host)) return false
  const [a = 0, b = 0, c = 0] = host.split('.').map(Number)
  if ([0, 10, 127].includes(a) || a >= 224) return true
  if (a === 172) return b >= 16 && b < 32
  if (a === 192) return b === 168 || b === 0 || (b === 88 && c === 99)
  if (a === 198) return b === 18 || b === 19 || (b === 51 && c === 100)
  return (
    (a === 169 && b === 254) ||
    (a === 100 && b >= 64 && b < 128) ||
    (a === 203 && b === 0 && c === 113)
  )
}
