import { randomBytes } from 'node:crypto'
import type { AgentScope, JsonObject } from 'hookline/lifecycle'
import { isSameData } from '../data/same-data.ts'

/** A text that a hook wants the model to know, and who it comes from. */
export interface LabelledText {
  readonly label: string
  readonly file: string
  readonly text: string
}

interface Ruling {
  readonly args: JsonObject
  readonly approvedBy?: string
  readonly question?: string
}

interface Child {
  readonly agentId: string
  readonly parentSession: string
  readonly parentTurn: string
  /** Known once it has begun. */
  session?: string
}

const maxKept = 1_000

/**
 * What is said at one point and takes effect at a later one: an approval, a
 * question, the end of the turn, words of a handler that nobody waited for.
 */
export class SessionMemory {
  readonly #rulings = new Map<string, Ruling>()
  readonly #stops = new Map<string, string>()
  readonly #running = new Map<string, string>()
  readonly #words = new Map<string, LabelledText[]>()
  readonly #children = new Map<string, Child[]>()
  readonly #bySession = new Map<string, Child>()
  readonly #models = new Map<string, string>()
  readonly #failures = new Map<string, readonly string[]>()

  useModel(sessionId: string, model: string): void {
    keep(this.#models, sessionId, model)
  }

  /** The model that has answered last. */
  modelOf(sessionId: string): string | undefined {
    return this.#models.get(sessionId)
  }

  rule(callId: string, ruling: Ruling): void {
    keep(this.#rulings, callId, ruling)
  }

  /** What was said about a call, if it is still the same call. */
  rulingOn(callId: string, args: JsonObject): Ruling | undefined {
    const ruling = this.#rulings.get(callId)
    return ruling && isSameData(ruling.args, args) ? ruling : undefined
  }

  hasRuling(callId: string): boolean {
    return this.#rulings.has(callId)
  }

  forgetCall(callId: string): void {
    this.#rulings.delete(callId)
  }

  beginTurn({ turnId = '', sessionId = '' }: AgentScope): void {
    keep(this.#running, sessionId, turnId)
  }

  /** The turn ends where a point can end it; where none runs, the next one. */
  stop(scope: AgentScope, reason: string): void {
    const { turnId = '', sessionId = '', step } = scope
    // A conversation that is made shorter between turns has a turn's id.
    const isInTurn =
      turnId !== '' &&
      (step !== undefined || this.#running.get(sessionId) === turnId)
    // Not kept with a limit: whoever is to end would go on.
    this.#stops.set(isInTurn ? turnId : `session ${sessionId}`, reason)
  }

  stopOf({ turnId = '', sessionId = '' }: AgentScope): string | undefined {
    return this.#stops.get(turnId) ?? this.#stops.get(`session ${sessionId}`)
  }

  forgetStop({ turnId = '', sessionId = '' }: AgentScope): void {
    this.#stops.delete(turnId)
    this.#stops.delete(`session ${sessionId}`)
  }

  endTurn({ turnId = '', sessionId = '' }: AgentScope): void {
    const isLatest = this.#running.get(sessionId) === turnId
    if (isLatest) this.#running.delete(sessionId)
    this.#stops.delete(turnId)
  }

  /** For the record of the next turn. */
  recordLater(sessionId: string, message: string): void {
    const before = this.#failures.get(sessionId) ?? []
    keep(this.#failures, sessionId, [...before, message].slice(-16))
  }

  takeFailures(sessionId: string): readonly string[] {
    const failures = this.#failures.get(sessionId) ?? []
    this.#failures.delete(sessionId)
    return failures
  }

  hasFailures(sessionId: string): boolean {
    return this.#failures.has(sessionId)
  }

  /** To be told at the next point that takes context. */
  tellLater(sessionId: string, words: readonly LabelledText[]): void {
    if (words.length === 0) return
    const before = this.#words.get(sessionId) ?? []
    keep(this.#words, sessionId, [...before, ...words].slice(-16))
  }

  takeWords(sessionId: string): readonly LabelledText[] {
    const words = this.#words.get(sessionId) ?? []
    this.#words.delete(sessionId)
    return words
  }

  hasWords(sessionId: string): boolean {
    return this.#words.has(sessionId)
  }

  /** A sub-agent is about to begin; its session comes next. */
  beginChild({ sessionId = '', turnId = '' }: AgentScope, name: string): Child {
    const agentId = randomBytes(8).toString('hex')
    const child = {
      agentId,
      parentSession: this.rootOf(sessionId),
      parentTurn: turnId,
    }
    const others = this.#children.get(name) ?? []
    keep(this.#children, name, [...others, child])
    return child
  }

  /** Of several with one name, the one that has waited longest. */
  bindChild({ agent, sessionId = '', parents }: AgentScope): void {
    if (parents === undefined || this.#bySession.has(sessionId)) return
    const waiting = this.#children.get(agent)
    const child = waiting?.find(({ session }) => session === undefined)
    if (child === undefined) return
    child.session = sessionId
    keep(this.#bySession, sessionId, child)
  }

  childOf(sessionId: string): Child | undefined {
    return this.#bySession.get(sessionId)
  }

  /** The child of a turn, when it is about to hand over its reply. */
  childNamed({ turnId = '' }: AgentScope, name: string): Child | undefined {
    const ours = this.#children.get(name) ?? []
    return ours.find(({ parentTurn }) => parentTurn === turnId)
  }

  /** The session that the user speaks to. */
  rootOf(sessionId: string): string {
    return this.#bySession.get(sessionId)?.parentSession ?? sessionId
  }

  endSession(sessionId: string): void {
    this.#words.delete(sessionId)
    this.#models.delete(sessionId)
    this.#failures.delete(sessionId)
    this.#running.delete(sessionId)
    this.#stops.delete(`session ${sessionId}`)
    const child = this.#bySession.get(sessionId)
    this.#bySession.delete(sessionId)
    for (const [name, children] of this.#children) {
      const left = children.filter((one) => one !== child)
      if (left.length === 0) this.#children.delete(name)
      else this.#children.set(name, left)
    }
  }
}

/** What nobody has come back for is forgotten, the oldest first. */
function keep<T>(map: Map<string, T>, key: string, value: T): void {
  map.delete(key)
  map.set(key, value)
  if (map.size <= maxKept) return
  const [oldest] = map.keys()
  if (oldest !== undefined) map.delete(oldest)
}
