import { ProtocolError } from '../protocol/errors.ts'
import { translate } from '../service/translate-errors.ts'
import type { Became } from './inbox-messages.ts'

export function stopping(): ProtocolError {
  const message = 'The daemon is stopping and begins nothing more; ask another.'
  return new ProtocolError('shutting-down', message)
}

/** What went wrong, for whoever asked through another daemon. */
export function failureOf(error: unknown): Became {
  const told = translate(error)
  if (told instanceof ProtocolError) {
    const { code, message } = told
    return { type: 'failed', code, message }
  }
  // What it says may hold what nobody should see; the log has it.
  const message = 'The daemon that has the session failed; its log says why.'
  return { type: 'failed', code: 'internal', message }
}
