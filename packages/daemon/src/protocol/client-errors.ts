import type { TransportAnswer } from './client-transport.ts'
import { type ErrorCode, errorStatus, ProtocolError } from './errors.ts'
import { protocolVersion, versionHeader } from './http-input.ts'

/** What a failure to reach a daemon means, and what to do about it. */
export function unreachable(error: unknown, where: string): ProtocolError {
  const code = codeOf(error)
  const message =
    code === 'EACCES' || code === 'EPERM'
      ? `You may not use the daemon at ${where}; it belongs to another user.`
      : code === 'ECONNREFUSED' || code === 'ENOENT'
        ? `No daemon runs at ${where}; start one with "hookline up".`
        : `The daemon at ${where} cannot be reached or went away (${code ?? 'no answer'}); see whether it runs with "hookline up".`
  return new ProtocolError('unavailable', message, { cause: error })
}

/** With `fetch`, the reason is some causes deep. */
function codeOf(error: unknown): string | undefined {
  for (let at: unknown = error, depth = 0; depth < 4; depth++) {
    const { code, cause, errors } = Object(at)
    if (typeof code === 'string') return code
    at = cause ?? (Array.isArray(errors) ? errors[0] : undefined)
  }
  return undefined
}

/** Throws if the daemon speaks another version than this client. */
export function checkVersion(answer: TransportAnswer, where: string): void {
  const version = answer.header(versionHeader)
  if (version === String(protocolVersion)) return
  if (version === undefined) {
    const message = `What answers at ${where} is no daemon of hookline; check the address.`
    throw new ProtocolError('unavailable', message)
  }
  const advice =
    Number(version) < protocolVersion
      ? // It would not hear "hookline down" of this version.
        'end its process, and start it again with "hookline up".'
      : 'update this program, or load its page anew.'
  const message = `The daemon at ${where} speaks version ${version.slice(0, 20)} of the protocol, and this program version ${protocolVersion}; ${advice}`
  throw new ProtocolError('unknown-version', message)
}

/** The error that an answer holds; undefined if it holds none. */
export function readError(
  text: string,
  status: number,
): ProtocolError | undefined {
  let body: unknown
  try {
    body = JSON.parse(text)
  } catch {
    body = undefined
  }
  const { code, message, problems } = Object(Object(body).error)
  if (typeof message === 'string') {
    return new ProtocolError(knownCode(code, status), message, {
      ...(Array.isArray(problems) ? { problems: problems.map(problemOf) } : {}),
    })
  }
  if (status < 400 || status === 503) return undefined
  const unclear = `The daemon answered with status ${status}, and did not say why.`
  return new ProtocolError(knownCode(undefined, status), unclear)
}

/** A newer daemon may have codes that this client does not know. */
function knownCode(code: unknown, status: number): ErrorCode {
  if (typeof code === 'string' && Object.hasOwn(errorStatus, code)) {
    // It is one of its keys.
    return code as ErrorCode
  }
  const entries = Object.entries(errorStatus)
  const found = entries.find(([, known]) => known === status)?.[0]
  // As above.
  return (found as ErrorCode | undefined) ?? 'internal'
}

function problemOf(problem: unknown) {
  const { path, message } = Object(problem)
  return { path: String(path), message: String(message) }
}
