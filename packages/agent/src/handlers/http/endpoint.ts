import { Agent } from 'node:http'
import { type AgentOptions, Agent as SecureAgent } from 'node:https'
import type { Clock } from 'hookline'
import type { Deadline } from '../deadline.ts'
import { HandlerFailure } from '../handler-failure.ts'
import { Circuit, type CircuitLimits } from './circuit.ts'
import { guardedLookup, type Resolve } from './guarded-lookup.ts'
import type { HttpSpec } from './http-sender.ts'
import type { Target } from './read-target.ts'
import { type HttpReply, type RequestEnd, requestOnce } from './request-once.ts'
import { pauseBefore } from './second-try.ts'
import { Turnstile } from './turnstile.ts'

export interface EndpointParts {
  readonly clock: Clock
  readonly resolve: Resolve
  readonly ca: string | undefined
  readonly maxHeaderBytes: number
  readonly circuit: CircuitLimits
}

const idleMs = 10_000
const defaultConcurrency = 8
const defaultBodyBytes = 1_048_576

/** One place that is asked: its connections, its limit, its breaker. */
export class Endpoint {
  readonly #parts: EndpointParts
  readonly #agent: Agent
  readonly #turnstile = new Turnstile()
  readonly #circuit: Circuit

  constructor(target: Target, parts: EndpointParts) {
    this.#parts = parts
    this.#agent = createAgent(target, parts)
    this.#circuit = new Circuit(parts.clock, parts.circuit)
  }

  /** Waits for a place, asks, and perhaps asks once more. */
  async exchange(
    target: Target,
    spec: HttpSpec,
    deadline: Deadline,
  ): Promise<HttpReply> {
    if (this.#circuit.isOpen) throw circuitOpen(target)
    await this.#enter(spec, deadline)
    try {
      if (!this.#circuit.admit()) throw circuitOpen(target)
      const end = await this.#attempts(target, spec, deadline)
      this.#judge(end)
      if (end.type === 'failure') throw end.failure
      return end.reply
    } finally {
      this.#turnstile.leave()
    }
  }

  close(): void {
    this.#agent.destroy()
  }

  async #enter(spec: HttpSpec, { signal }: Deadline): Promise<void> {
    const { concurrency = defaultConcurrency } = spec
    try {
      await this.#turnstile.enter(concurrency, signal)
    } catch (error) {
      const isLate = error instanceof HandlerFailure && error === signal.reason
      if (!isLate || error.code !== 'timed-out') throw error
      const message = `No place was free in time: ${concurrency} requests at once are allowed.`
      throw new HandlerFailure('overloaded', message)
    }
  }

  async #attempts(
    target: Target,
    spec: HttpSpec,
    deadline: Deadline,
  ): Promise<RequestEnd> {
    const { clock } = this.#parts
    const first = await this.#attempt(target, spec, deadline)
    const { remainingMs } = deadline
    const wallMs = clock.wallAt(clock.now())
    const pauseMs = pauseBefore(first, spec, { remainingMs, wallMs })
    if (pauseMs === undefined) return first
    spec.diagnose?.(
      'http-repeated',
      `It was asked again, after ${what(first)}.`,
    )
    try {
      await deadline.pause(pauseMs)
    } catch {
      return first
    }
    const second = await this.#attempt(target, spec, deadline)
    return second.type === 'failure' && spec.mayRepeat
      ? known(second, first, spec)
      : second
  }

  async #attempt(
    target: Target,
    spec: HttpSpec,
    { signal }: Deadline,
  ): Promise<RequestEnd> {
    const { maxBodyBytes = defaultBodyBytes, headers, body } = spec
    const { maxHeaderBytes } = this.#parts
    const agent = this.#agent
    const limits = { maxBodyBytes, maxHeaderBytes }
    const one = { target, agent, headers, body, signal, ...limits }
    const end = await requestOnce(one)
    if (end.type === 'failure') this.#dropIdle()
    return end
  }

  /** The next request connects anew, to what its host's name stands for then. */
  #dropIdle(): void {
    for (const sockets of Object.values(this.#agent.freeSockets)) {
      for (const socket of sockets ?? []) socket.destroy()
    }
  }

  /** Those that wait find the circuit open when their turn comes. */
  #judge(end: RequestEnd): void {
    if (isFaultOfServer(end)) this.#circuit.failed()
    else if (end.type === 'reply') this.#circuit.succeeded()
  }
}

function createAgent({ isTls, reach }: Target, parts: EndpointParts): Agent {
  const { resolve, ca } = parts
  const options: AgentOptions = {
    keepAlive: true,
    timeout: idleMs,
    lookup: guardedLookup(resolve, reach),
  }
  if (!isTls) return new Agent(options)
  return new SecureAgent({
    ...options,
    // Said outright, so that no variable of the environment says otherwise.
    rejectUnauthorized: true,
    minVersion: 'TLSv1.2',
    ...(ca !== undefined && { ca }),
  })
}

function isFaultOfServer(end: RequestEnd): boolean {
  if (end.type === 'reply') return end.reply.status >= 500
  const { code } = end.failure
  return code !== 'cancelled' && code !== 'blocked-address'
}

/** Of a request that may come twice, it is known what a drop means. */
function known(
  second: FailedRequest,
  first: RequestEnd,
  { diagnose }: HttpSpec,
): FailedRequest {
  const { failure, phase } = second
  // That it cannot be reached now does not undo that it has been asked.
  const isLost = failure.isUnasked && wasSent(first)
  if (!isLost && failure.code !== 'unknown-outcome') return second
  // Whoever is to see to the address finds it by its own code.
  if (isLost && failure.code === 'blocked-address')
    diagnose?.('handler.blocked-address', failure.message)
  const message = isLost
    ? `It was asked, and could not be asked again, after ${what(first)}: ${failure.message}`
    : 'The connection broke before a reply, twice.'
  const brokenOff = new HandlerFailure('broken-off', message, failure)
  return { type: 'failure', failure: brokenOff, phase }
}

function wasSent(end: RequestEnd): boolean {
  return end.type === 'reply' || end.phase !== 'connecting'
}

type FailedRequest = Extract<RequestEnd, { type: 'failure' }>

function circuitOpen({ host }: Target): HandlerFailure {
  const message = `The endpoint at ${host} failed too often; it is not asked for a while.`
  return new HandlerFailure('circuit-open', message)
}

function what(end: RequestEnd): string {
  return end.type === 'reply' ? `status ${end.reply.status}` : end.failure.code
}
