import { validateHeaderName, validateHeaderValue } from 'node:http'
import { HandlerFailure } from '../handler-failure.ts'

/** What shapes the request itself is not for others to say. */
const ours = new Set([
  'accept-encoding',
  'connection',
  'content-encoding',
  'content-length',
  'expect',
  'host',
  'keep-alive',
  'proxy-authorization',
  'proxy-connection',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
])

/** Headers in lower case, each once, none that would be read as two. */
export function checkHeaders(
  headers: Readonly<Record<string, string>>,
): Record<string, string> {
  const checked = new Map<string, string>()
  for (const [written, value] of Object.entries(headers)) {
    const name = written.toLowerCase()
    if (ours.has(name)) throw refused(name, 'is not yours to set; leave it out')
    if (checked.has(name)) throw refused(name, 'is there twice; keep one')
    checkSpelling(name, value)
    checked.set(name, value)
  }
  return Object.fromEntries(checked)
}

function checkSpelling(name: string, value: string): void {
  try {
    validateHeaderName(name)
  } catch {
    throw refused(name, 'is no name of a header; rename it')
  }
  try {
    validateHeaderValue(name, value)
  } catch {
    throw refused(name, 'has a value with a character that none may have')
  }
}

/** Never repeats a value. */
function refused(name: string, problem: string): HandlerFailure {
  return new HandlerFailure(
    'invalid',
    `The header ${JSON.stringify(name)} ${problem}.`,
  )
}
