import { pathToFileURL } from 'node:url'
import type { Actor, JsonObject, JsonValue } from 'hookline/lifecycle'
import type { ClientPackage } from './client-package.ts'
import { measureJson } from './measure-json.ts'
import { type Redact, safeText } from './redact.ts'
import type { TimeLimit } from './time-limit.ts'

/** What a server wants to know from the user. */
export interface McpQuestion {
  readonly server: string
  readonly message: string
  /** A JSON Schema of a flat object. */
  readonly schema: JsonObject
  readonly sessionId: string
  /** The call that it is about, where only one can be meant. */
  readonly callId?: string
}

export interface McpAnswer {
  readonly action: 'accept' | 'decline' | 'cancel'
  readonly content?: Readonly<Record<string, JsonValue>>
  /** Who has answered; the server is not told. */
  readonly by?: Actor | undefined
}

export type AskUser = (
  question: McpQuestion,
  signal: AbortSignal,
) => Promise<McpAnswer>

/** Whoever is waiting for the server. */
export interface Caller {
  readonly server: string
  readonly sessionId?: string | undefined
  readonly callId?: string | undefined
  readonly limit: TimeLimit
  /** Somebody's words are in what it waits for. */
  readonly joinIn?: (by: Actor) => void
  /** The user is asked on its behalf; what it gives says that this is over. */
  readonly beginWait?: () => () => void
}

export interface ServerRequestsParts {
  readonly sdk: ClientPackage
  readonly callers: () => readonly Caller[]
  readonly askUser: AskUser | undefined
  readonly roots: readonly string[] | undefined
  readonly redact: Redact
}

interface ServerRequest {
  readonly method: string
  readonly params: { readonly [key: string]: unknown }
}

const maxMessagePoints = 4_000
const maxQuestions = 3
const schemaLimits = { maxBytes: 16_384, maxDepth: 8, maxNodes: 500 }
const methodNotFound = -32_601
const declined: McpAnswer = { action: 'decline' }

/** What a server asks of us, and what it gets. */
export class ServerRequests {
  readonly #parts: ServerRequestsParts
  #open = 0

  constructor(parts: ServerRequestsParts) {
    this.#parts = parts
  }

  get capabilities() {
    const { askUser, roots } = this.#parts
    return {
      ...(askUser && { elicitation: { form: {} } }),
      ...(roots && { roots: {} }),
    }
  }

  async answer(
    { method, params }: ServerRequest,
    signal: AbortSignal,
  ): Promise<{ readonly [key: string]: unknown }> {
    const { roots } = this.#parts
    if (method === 'elicitation/create') {
      return { ...(await this.#ask(params, signal)) }
    }
    if (method === 'roots/list' && roots !== undefined) {
      return { roots: roots.map((root) => ({ uri: pathToFileURL(root).href })) }
    }
    if (method === 'sampling/createMessage') {
      throw this.#refusal('Sampling is declined: no model runs for servers.')
    }
    throw this.#refusal('Method not found')
  }

  async #ask(
    params: ServerRequest['params'],
    signal: AbortSignal,
  ): Promise<McpAnswer> {
    const { askUser } = this.#parts
    const about = this.#attribute()
    const schema = schemaOf(params)
    const isTooMuch = this.#open >= maxQuestions
    if (!askUser || !about || !schema || isTooMuch) return declined
    const { redact } = this.#parts
    const message = safeText(params['message'], {
      redact,
      maxPoints: maxMessagePoints,
    })
    const limits = about.callers.map(({ limit }) => limit)
    const wanted = whileWanted(limits, signal)
    this.#open++
    const ends = about.callers.map(({ beginWait }) => beginWait?.())
    try {
      const { server, sessionId, callId } = about
      const place = { server, sessionId, ...(callId && { callId }) }
      const question = { ...place, message, schema }
      const answer = await askUser(question, wanted.signal)
      const { by } = answer
      if (by) for (const { joinIn } of about.callers) joinIn?.(by)
      return readAnswer(answer, schema)
    } catch {
      // The server is told that nobody answered, and never why.
      return { action: 'cancel' }
    } finally {
      wanted.end()
      this.#open--
      for (const end of ends) end?.()
    }
  }

  /**
   * Nothing in a question says which call it belongs to. Where it could be
   * those of two sessions, neither user is asked what the other one's is.
   */
  #attribute() {
    const callers = this.#parts
      .callers()
      .filter(({ callId }) => callId !== undefined)
    const [first] = callers
    const sessionId = first?.sessionId
    if (first === undefined || sessionId === undefined) return undefined
    if (callers.some((one) => one.sessionId !== sessionId)) return undefined
    const callId = callers.length === 1 ? first.callId : undefined
    return { callers, server: first.server, sessionId, callId }
  }

  #refusal(why: string): Error {
    return new this.#parts.sdk.ProtocolError(methodNotFound, why)
  }
}

/** Fires when the server, or everybody who waits for it, has given up. */
function whileWanted(limits: readonly TimeLimit[], signal: AbortSignal) {
  const controller = new AbortController()
  const signals = limits.map((limit) => limit.signal)
  const look = () => {
    const isAlone = signals.every(({ aborted }) => aborted)
    if (signal.aborted || isAlone) controller.abort()
  }
  for (const one of [signal, ...signals]) one.addEventListener('abort', look)
  const end = () => {
    for (const one of [signal, ...signals]) {
      one.removeEventListener('abort', look)
    }
  }
  return { signal: controller.signal, end }
}

/** Only forms; addresses to visit are not offered. */
function schemaOf(params: ServerRequest['params']): JsonObject | undefined {
  const { mode = 'form', requestedSchema: schema } = params
  if (mode !== 'form' || !isObject(schema)) return undefined
  if (measureJson(schema, schemaLimits) !== undefined) return undefined
  if (!isObject(schema['properties'])) return undefined
  return schema
}

/** A port can be anybody's: only what was asked for goes to the server. */
function readAnswer(
  { action, content = {} }: McpAnswer,
  { properties }: JsonObject,
): McpAnswer {
  if (action === 'decline' || action === 'cancel') return { action }
  if (action !== 'accept') return declined
  const asked = Object.keys(isObject(properties) ? properties : {})
  const known = asked.filter((name) => Object.hasOwn(content, name))
  return {
    action,
    content: Object.fromEntries(
      known.map((name) => [name, content[name] ?? null]),
    ),
  }
}

// It has come as JSON, so that an object is one of JSON.
function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
