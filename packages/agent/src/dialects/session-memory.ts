import type { AgentScope } from 'hookline/lifecycle'
import { CallRulings } from './call-rulings.ts'
import { Children } from './children.ts'
import { keep } from './keep.ts'

/** A text that a hook wants the model to know, and who it comes from. */
export interface LabelledText {
  readonly label: string
  readonly file: string
  readonly text: string
}

/** What a session is told when there is a moment for it. */
export interface Later {
  readonly words: LabelledText[]
  readonly failures: string[]
}

const maxLater = 16

/**
 * What is said at one point and takes effect at a later one: an approval, a
 * question, the end of the turn, words of a handler that nobody waited for.
 */
export class SessionMemory {
  readonly rulings = new CallRulings()
  readonly children = new Children()
  readonly #stops = new Map<string, string>()
  readonly #running = new Map<string, string>()
  readonly #later = new Map<string, Later>()
  readonly #models = new Map<string, string>()

  useModel(sessionId: string, model: string): void {
    keep(this.#models, sessionId, model)
  }

  /** The model that has answered last. */
  modelOf(sessionId: string): string | undefined {
    return this.#models.get(sessionId)
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

  endTurn(scope: AgentScope): void {
    const { turnId = '', sessionId = '' } = scope
    const isLatest = this.#running.get(sessionId) === turnId
    if (isLatest) this.#running.delete(sessionId)
    this.#stops.delete(turnId)
    this.children.endTurn(scope)
  }

  /** Who may speak after the session has ended asks for it before. */
  laterOf(sessionId: string): Later {
    const known = this.#later.get(sessionId)
    if (known !== undefined) return known
    const later: Later = { words: [], failures: [] }
    keep(this.#later, sessionId, later)
    return later
  }

  /** For the record of the next turn. */
  recordLater({ failures }: Later, message: string): void {
    failures.push(message)
    failures.splice(0, failures.length - maxLater)
  }

  takeFailures(sessionId: string): readonly string[] {
    return this.#later.get(sessionId)?.failures.splice(0) ?? []
  }

  hasFailures(sessionId: string): boolean {
    return (this.#later.get(sessionId)?.failures.length ?? 0) > 0
  }

  /** To be told at the next point that takes context. */
  tellLater({ words }: Later, told: readonly LabelledText[]): void {
    words.push(...told)
    words.splice(0, words.length - maxLater)
  }

  takeWords(sessionId: string): readonly LabelledText[] {
    return this.#later.get(sessionId)?.words.splice(0) ?? []
  }

  hasWords(sessionId: string): boolean {
    return (this.#later.get(sessionId)?.words.length ?? 0) > 0
  }

  endSession(sessionId: string): void {
    this.rulings.endSession(sessionId)
    this.#later.delete(sessionId)
    this.#models.delete(sessionId)
    this.#running.delete(sessionId)
    this.#stops.delete(`session ${sessionId}`)
    this.children.endSession(sessionId)
  }
}
