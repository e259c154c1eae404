import { type Clock, systemClock } from 'hookline'
import { Deadline } from '../deadline.ts'
import { HandlerFailure } from '../handler-failure.ts'
import type { CircuitLimits } from './circuit.ts'
import { Endpoint, type EndpointParts } from './endpoint.ts'
import { type Resolve, resolveBySystem } from './guarded-lookup.ts'
import type { HttpEnd, HttpSender, HttpSpec } from './http-sender.ts'
import { readTarget, type Target } from './read-target.ts'
import { checkHeaders } from './request-headers.ts'

export interface HttpSenderOptions {
  /** Default: the system's. */
  readonly clock?: Clock
  /** Finds the addresses of a host; default: as the system does. */
  readonly lookup?: Resolve
  /** Certificates, as PEM, in place of those that Node trusts. */
  readonly ca?: string
  /** Of a reply; default 16 KiB. */
  readonly maxHeaderBytes?: number
  readonly circuit?: CircuitLimits
  /** Where variables are looked at that are not obeyed; default: our own. */
  readonly env?: Readonly<Record<string, string | undefined>>
}

/**
 * A sender that trusts neither names nor servers: it asks public addresses
 * only, follows nothing, verifies TLS, and reads no more than it has to.
 * Variables that name proxies or switch TLS checks off have no effect.
 */
export function createHttpSender(options: HttpSenderOptions = {}): HttpSender {
  const { clock = systemClock, lookup: resolve = resolveBySystem } = options
  const { ca, maxHeaderBytes = 16_384, circuit = {} } = options
  const { env = process.env } = options
  const parts = { clock, resolve, ca, maxHeaderBytes, circuit }
  const endpoints = new Endpoints(parts)
  const running = new Map<Deadline, Promise<unknown>>()
  let isClosed = false

  const send = async (spec: HttpSpec): Promise<HttpEnd> => {
    const startedMs = clock.now()
    if (isClosed) throw closed()
    const target = readTarget(spec.url, spec.allowPrivate)
    const checked = { ...spec, headers: checkHeaders(spec.headers) }
    if (target.isTls) warnOfVariable(spec, env)
    const deadline = new Deadline(clock, spec.timeoutMs, spec.signal)
    try {
      const exchanged = endpoints.of(target).exchange(target, checked, deadline)
      running.set(deadline, exchanged)
      const reply = await exchanged
      return { ...reply, elapsedMs: clock.now() - startedMs }
    } finally {
      deadline.end()
      running.delete(deadline)
    }
  }

  const close = async () => {
    isClosed = true
    const ending = [...running.values()]
    for (const deadline of running.keys()) deadline.cancel(closed())
    await Promise.allSettled(ending)
    endpoints.close()
  }

  return { send, close }
}

class Endpoints {
  readonly #parts: EndpointParts
  readonly #known = new Map<string, Endpoint>()

  constructor(parts: EndpointParts) {
    this.#parts = parts
  }

  of(target: Target): Endpoint {
    const known = this.#known.get(target.endpoint)
    if (known !== undefined) return known
    const made = new Endpoint(target, this.#parts)
    this.#known.set(target.endpoint, made)
    return made
  }

  close(): void {
    for (const endpoint of this.#known.values()) endpoint.close()
    this.#known.clear()
  }
}

const tlsVariable = 'NODE_TLS_REJECT_UNAUTHORIZED'

function warnOfVariable(
  { diagnose }: HttpSpec,
  env: Readonly<Record<string, string | undefined>>,
): void {
  if (env[tlsVariable] !== '0') return
  const message = `The variable "${tlsVariable}" has no effect here: certificates are always checked. Unset it.`
  diagnose?.('tls-variable-ignored', message)
}

function closed(): HandlerFailure {
  return new HandlerFailure('cancelled', 'The sender has been closed.')
}
