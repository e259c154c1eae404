import { type Clock, systemClock } from 'hookline'
import { AgentError } from '../../ports/agent-error.ts'
import type { HttpDefinition } from '../definition.ts'
import type { Handler, HandlerCall } from '../handler.ts'
import { HandlerFailure } from '../handler-failure.ts'
import { type Environment, fillHeaders, readVariable } from './fill-headers.ts'
import type { HttpEnd, HttpSender } from './http-sender.ts'
import { readReply } from './read-reply.ts'
import { readTarget } from './read-target.ts'
import { checkHeaders } from './request-headers.ts'
import { signatureHeaders, signBody } from './signature.ts'

export interface HttpHandlerParts {
  readonly sender: HttpSender
  /** Where the variables are that the definition names. */
  readonly env: Environment
  /** Default: the system's. */
  readonly clock?: Clock
}

/**
 * Asks a server: the envelope is the body, signed where there is a secret. What
 * is wrong with the definition is an `AgentError` here. The sender is whoever
 * made it's to close.
 */
export function createHttpHandler(
  definition: HttpDefinition,
  { sender, env, clock = systemClock }: HttpHandlerParts,
): Handler {
  const { url, allowPrivate, mayRepeat, concurrency, maxBodyBytes } = definition
  const headers = readDefinition(definition, env)
  const secret = readSecret(definition, env)
  const { mustSign = false } = definition
  const nowMs = () => clock.wallAt(clock.now())
  const rules = {
    ...(allowPrivate !== undefined && { allowPrivate }),
    ...(mayRepeat !== undefined && { mayRepeat }),
    ...(concurrency !== undefined && { concurrency }),
    ...(maxBodyBytes !== undefined && { maxBodyBytes }),
  }

  return {
    ask: async (call) => {
      const { envelope, signal, diagnose } = call
      const { run } = envelope
      const body = JSON.stringify(envelope)
      const timestamp = String(Math.floor(nowMs() / 1_000))
      const signed = secret && signBody({ secret, run, timestamp, body })
      const end = await sender.send({
        ...{ url, body, signal, diagnose },
        ...rules,
        headers: {
          ...headers,
          [signatureHeaders.run]: run,
          [signatureHeaders.timestamp]: timestamp,
          ...(signed && { [signatureHeaders.signature]: signed }),
        },
        timeoutMs: call.remainingMs,
      })
      warnOfRefusal(end, call)
      return readReply(end, { run, secret, mustSign, nowMs: nowMs() })
    },
  }
}

function readDefinition(
  definition: HttpDefinition,
  env: Environment,
): Record<string, string> {
  const { url, allowPrivate } = definition
  try {
    readTarget(url, allowPrivate)
    const headers = checkHeaders(fillHeaders(definition, env))
    for (const name of Object.values(signatureHeaders)) {
      if (!Object.hasOwn(headers, name)) continue
      const message = `The header "${name}" is set for every request; leave it out.`
      throw new HandlerFailure('invalid', message)
    }
    return headers
  } catch (error) {
    if (!(error instanceof HandlerFailure)) throw error
    throw new AgentError('invalid-config', error.message, error)
  }
}

function readSecret(
  { secretEnv, mustSign = false }: HttpDefinition,
  env: Environment,
): string | undefined {
  if (secretEnv !== undefined) return readVariable(secretEnv, env)
  if (!mustSign) return undefined
  const message =
    'Replies must be signed, but there is no secret; set secretEnv.'
  throw new AgentError('invalid-config', message)
}

/** Somebody has to see that our credentials are no longer good. */
function warnOfRefusal({ status }: HttpEnd, { diagnose }: HandlerCall): void {
  if (status !== 401 && status !== 403) return
  const message = `The server does not accept our credentials (status ${status}); check the header and its variable.`
  diagnose('http-credentials-refused', message)
}
