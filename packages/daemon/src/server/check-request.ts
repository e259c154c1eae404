import type { IncomingMessage } from 'node:http'
import { ProtocolError } from '../protocol/errors.ts'
import {
  keyHeader,
  protocolVersion,
  versionHeader,
} from '../protocol/http-input.ts'

/** From where requests may come. */
export interface Senders {
  /** Names by which a client may call the server, in small letters. */
  readonly hosts: ReadonlySet<string>
  /** Pages that may ask, as browsers name them. */
  readonly origins: ReadonlySet<string>
}

/** These say who asks for what; twice, they could say two things. */
const onceOnly = [
  'host',
  'origin',
  'authorization',
  'content-type',
  'content-length',
  'transfer-encoding',
  'sec-fetch-site',
  'last-event-id',
  keyHeader,
  versionHeader,
]

const maxHeaders = 100

/**
 * Refuses what no client of ours sends: browsers that were sent by another
 * page, names that were made to lead here, headers that say two things.
 */
export function checkRequest(request: IncomingMessage, senders: Senders): void {
  // Names and values alternate.
  if (request.rawHeaders.length > 2 * maxHeaders) {
    const message = `There are more than ${maxHeaders} headers; send fewer.`
    throw new ProtocolError('too-large', message)
  }
  for (const name of onceOnly) {
    if ((request.headersDistinct[name]?.length ?? 0) > 1) {
      const message = `The header "${name}" was sent twice; send it once.`
      throw new ProtocolError('bad-request', message)
    }
  }
  checkHost(request.headers.host, senders.hosts)
  if (!isVisit(request)) checkOrigin(request, senders.origins)
  checkVersion(request.headers[versionHeader])
}

function checkHost(
  given: string | undefined,
  hosts: ReadonlySet<string>,
): void {
  const parts = /^(\[[0-9a-f:.]+\]|[a-z0-9.-]+)(?::\d{1,5})?$/i.exec(
    given ?? '',
  )
  const name = parts?.[1]?.toLowerCase()
  if (name !== undefined && hosts.has(name)) return
  const message =
    'The header "host" names none of the names of this daemon; ask for localhost, or have the name added to its configuration.'
  throw new ProtocolError('wrong-host', message)
}

/** Somebody follows a link to a page of ours: it is shown, and never to others. */
function isVisit({ method, url = '', headers }: IncomingMessage): boolean {
  return (
    (method === 'GET' || method === 'HEAD') &&
    // Written in another way it would lead there as well.
    !/^\/(?:v1(?:[/?]|$)|[^/?]*%)/.test(url) &&
    headers.origin === undefined &&
    headers['sec-fetch-mode'] === 'navigate' &&
    headers['sec-fetch-dest'] === 'document'
  )
}

function checkOrigin(
  request: IncomingMessage,
  origins: ReadonlySet<string>,
): void {
  const { headers } = request
  const { origin } = headers
  if (origin !== undefined) {
    if (origins.has(origin) || isOwnOrigin(origin, request)) return
    const message =
      'Pages of that origin may not use this daemon; have it added to its configuration if they should.'
    throw new ProtocolError('wrong-origin', message)
  }
  const site = headers['sec-fetch-site']
  if (site === undefined || site === 'same-origin' || site === 'none') return
  const message = 'A page of another site may not use this daemon.'
  throw new ProtocolError('wrong-origin', message)
}

/**
 * A page of ours asks: it has the name and the port that the request is for.
 * The browser says so itself, or the port is the one that is listened on.
 */
function isOwnOrigin(
  origin: string,
  { headers, socket }: IncomingMessage,
): boolean {
  const host = headers.host?.toLowerCase()
  if (origin !== `http://${host}` && origin !== `https://${host}`) return false
  const site = headers['sec-fetch-site']
  if (site !== undefined) return site === 'same-origin'
  return Number(/:(\d+)$/.exec(origin)?.[1]) === socket.localPort
}

function checkVersion(given: string | string[] | undefined): void {
  if (given === undefined || given === String(protocolVersion)) return
  const message = `This daemon speaks version ${protocolVersion} of the protocol; update whichever of the two is older, and start the daemon again.`
  throw new ProtocolError('unknown-version', message)
}
