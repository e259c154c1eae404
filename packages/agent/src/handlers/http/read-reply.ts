import type { HandlerReply } from '../handler.ts'
import { HandlerFailure } from '../handler-failure.ts'
import type { HttpEnd } from './http-sender.ts'
import {
  type SignatureVerdict,
  signatureHeaders,
  verifySignature,
} from './signature.ts'

interface ExpectedReply {
  readonly run: string
  readonly secret: string | undefined
  readonly mustSign: boolean
  readonly nowMs: number
}

/** What a server says, if it is a reply to this run and may be believed. */
export function readReply(end: HttpEnd, expected: ExpectedReply): HandlerReply {
  const { status, body } = end
  if (status < 200 || status >= 300) {
    const message = `The server answered with status ${status}.`
    throw new HandlerFailure('status', message)
  }
  checkRun(end, expected)
  const isBound = checkSignature(end, expected)
  if (body !== '') checkType(end)
  return { text: body, isBound }
}

function checkRun({ headers }: HttpEnd, { run }: ExpectedReply): void {
  const named = headers[signatureHeaders.run]
  if (named === undefined || named === run) return
  const message = `The reply is to another run; send ${signatureHeaders.run} back as it came.`
  throw new HandlerFailure('wrong-run', message)
}

/** Whether it is signed; a signature that is there has to be right. */
function checkSignature(
  { headers, body }: HttpEnd,
  { run, secret, mustSign, nowMs }: ExpectedReply,
): boolean {
  const signature = headers[signatureHeaders.signature]
  if (signature === undefined && !mustSign) return false
  if (secret === undefined) return false
  const timestamp = headers[signatureHeaders.timestamp] ?? ''
  const message = { secret, run, timestamp, body, nowMs }
  const verdict = verifySignature({ ...message, signature: signature ?? '' })
  if (verdict === 'valid') return true
  throw new HandlerFailure('signature', problems[verdict])
}

const problems: Readonly<Record<Exclude<SignatureVerdict, 'valid'>, string>> = {
  malformed: 'The reply is not signed; sign it with the secret of the request.',
  wrong: 'The signature of the reply is wrong for this run and this secret.',
  expired: 'The signature of the reply is not of the last five minutes.',
}

/** A page for people is no answer, whatever its status. */
function checkType({ headers }: HttpEnd): void {
  const [type = '', ...parameters] = (headers['content-type'] ?? '')
    .toLowerCase()
    .split(';')
    .map((part) => part.trim())
  const charset = parameters.find((part) => part.startsWith('charset='))
  const isUtf8 = charset === undefined || /^charset="?utf-?8"?$/.test(charset)
  if (type === 'application/json' && isUtf8) return
  const message = 'The reply is not of type application/json in UTF-8.'
  throw new HandlerFailure('invalid', message)
}
