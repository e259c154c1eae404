import { HandlerFailure } from '../handler-failure.ts'

/** How far a request has come; what was sent may have been acted upon. */
export type Phase = 'connecting' | 'sent' | 'answered'

/** What a failed request means, in our own words. */
export function requestFailure(error: unknown, phase: Phase): HandlerFailure {
  if (error instanceof HandlerFailure) return error
  const code = codeOf(error)
  if (isTls(code)) {
    const message = `The server could not show who it is, or speaks no TLS of today (${code}).`
    return new HandlerFailure('tls', message, error)
  }
  if (code.startsWith('HPE_')) {
    const message = `The reply is no HTTP, or its headers are too large (${code}).`
    return new HandlerFailure('invalid', message, error)
  }
  if (isPacking(code)) {
    const message = `The body of the reply cannot be unpacked (${code}).`
    return new HandlerFailure('invalid', message, error)
  }
  if (phase === 'sent') {
    const message = `The connection broke before a reply (${code}); nobody knows whether the request was acted upon.`
    return new HandlerFailure('unknown-outcome', message, error)
  }
  if (phase === 'answered') {
    const message = `The connection broke within the reply (${code}).`
    return new HandlerFailure('broken-off', message, error)
  }
  const message = `The server cannot be reached (${code}).`
  return new HandlerFailure('network', message, error)
}

/** Only the code: a message may repeat what was sent. */
function codeOf(error: unknown): string {
  const code: unknown =
    error instanceof Error && 'code' in error ? error.code : undefined
  return typeof code === 'string' ? code : 'unknown'
}

function isTls(code: string): boolean {
  return (
    /^(ERR_SSL_|ERR_TLS_|CERT_|CRL_|EPROTO$|HOSTNAME_)/.test(code) ||
    /^(UNABLE_TO_|DEPTH_ZERO_|SELF_SIGNED_|INVALID_CA|INVALID_PURPOSE)/.test(
      code,
    ) ||
    /^(PATH_LENGTH_EXCEEDED|ERROR_IN_CERT_)/.test(code)
  )
}

function isPacking(code: string): boolean {
  return /^(Z_|ERR__ERROR_|ERR_BROTLI|ERR_TRAILING_JUNK)/.test(code)
}
