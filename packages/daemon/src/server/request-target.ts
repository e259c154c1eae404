import { ProtocolError } from '../protocol/errors.ts'
import { tokenPrefix } from './principal.ts'

/** What a request asks for: its path in parts, and its query. */
export interface RequestTarget {
  readonly segments: readonly string[]
  readonly query: URLSearchParams
}

/** A token has 256 bits: what is shorter by far only begins as one does. */
const anyToken = new RegExp(`${tokenPrefix}(?:login_)?[\\w-]{20}`)

const tokenNames =
  /^(?:access|auth|bearer|api|id|session)?[_-]?(?:token|key|authorization|auth|bearer|secret|password)$/i

// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what it is about.
const unprintable = /[\u0000-\u001f\u007f]/

export function readTarget(url: string): RequestTarget {
  if (!url.startsWith('/') || url.includes('#')) {
    throw bad('The target of a request is a path that begins with "/".')
  }
  const mark = url.indexOf('?')
  const path = mark < 0 ? url : url.slice(0, mark)
  const segments = path.slice(1).split('/').map(decode)
  if (segments.some((part) => part === '.' || part === '..')) {
    throw bad('A path has no "." and no ".." in it; write it out.')
  }
  const query = mark < 0 ? noQuery : readQuery(url.slice(mark + 1))
  refuseTokens(segments, query)
  return { segments, query }
}

/** Nobody writes to it. */
const noQuery = new URLSearchParams()

function readQuery(raw: string): URLSearchParams {
  decode(raw.replaceAll('+', ' '))
  return new URLSearchParams(raw)
}

/** A URL is kept in many places; a token is not to be in any of them. */
function refuseTokens(segments: readonly string[], query: URLSearchParams) {
  const isToken = (text: string) => anyToken.test(text)
  const found =
    segments.some(isToken) ||
    [...query].some(([name, value]) => tokenNames.test(name) || isToken(value))
  if (!found) return
  throw bad(
    'A token is sent as the header "authorization: Bearer …", never in a URL; replace this one, for it may have been written down.',
  )
}

function decode(part: string): string {
  let text = part
  try {
    if (part.includes('%')) text = decodeURIComponent(part)
  } catch {
    throw bad('The target of a request is not encoded as URLs are.')
  }
  if (unprintable.test(text)) {
    throw bad('The target of a request holds a character that nobody can see.')
  }
  return text
}

const bad = (message: string) => new ProtocolError('bad-request', message)
