import { freezeDeep } from 'hookline'
import type { Message, TextBlock, Usage, UserContent } from 'hookline/lifecycle'
import { estimateTokens } from './estimate-tokens.ts'

/**
 * The messages of a session. While a turn runs, its own are shown to the model
 * with what hooks have added for this turn, and kept without; they count for
 * later turns once they are committed.
 */
export class Conversation {
  /** As the model is shown them. */
  readonly #shown: Message[]
  /** The same as history has them; undefined for what is only shown. */
  readonly #kept: (Message | undefined)[]
  #committed: number
  #turnStart: number
  /** What a model has counted, and how many messages that was. */
  #measured = { tokens: 0, messages: 0 }

  constructor(history: readonly Message[] = []) {
    this.#shown = [...history]
    this.#kept = [...history]
    this.#committed = history.length
    this.#turnStart = history.length
  }

  get shown(): readonly Message[] {
    return this.#shown
  }

  /** What would stay if the turn ended here. */
  get history(): readonly Message[] {
    return this.#kept
      .slice(0, this.#committed)
      .filter((message) => message !== undefined)
  }

  get last(): Message | undefined {
    return this.#shown.at(-1)
  }

  /** How many messages were there before the turn that runs. */
  get lengthBeforeTurn(): number {
    return this.#turnStart
  }

  /** Adds a message of the model's, or the results of its calls. */
  add(given: Message): void {
    const message = freezeDeep(given)
    this.#shown.push(message)
    this.#kept.push(message)
  }

  /**
   * Adds what the user says, and what only the model is shown before it. It
   * joins a user message that is still open, so that roles alternate.
   */
  addUser(content: UserContent, extra: readonly TextBlock[] = []): void {
    const at = this.#shown.length - 1
    const shown = this.#shown[at]
    const isOpen = shown?.role === 'user' && at >= this.#committed
    if (!isOpen) {
      this.#shown.push(userMessage([...extra, ...content]))
      this.#kept.push(content.length > 0 ? userMessage(content) : undefined)
      return
    }
    const kept = this.#kept[at]
    const before = kept?.role === 'user' ? kept.content : []
    this.#shown[at] = userMessage([...shown.content, ...extra, ...content])
    const whole = [...before, ...content]
    this.#kept[at] = whole.length > 0 ? userMessage(whole) : undefined
  }

  /** Puts something before what the user has just said. */
  prependUser(kept: UserContent, passing: readonly TextBlock[]): void {
    const at = this.#shown.length - 1
    const shown = this.#shown[at]
    const before = this.#kept[at]
    if (shown?.role !== 'user' || at < this.#committed) {
      this.addUser(kept, passing)
      return
    }
    const said = before?.role === 'user' ? before.content : []
    this.#shown[at] = userMessage([...kept, ...passing, ...shown.content])
    this.#kept[at] = userMessage([...kept, ...said])
  }

  /** Replaces the newest message of the model's, before it is committed. */
  replaceLast(given: Message): void {
    const message = freezeDeep(given)
    this.#shown[this.#shown.length - 1] = message
    this.#kept[this.#kept.length - 1] = message
  }

  /** What is there now stays; returns what is new in it. */
  commit(): readonly Message[] {
    const fresh = this.#kept.slice(this.#committed)
    this.#committed = this.#kept.length
    return fresh.filter((message) => message !== undefined)
  }

  /** Drops what has not been committed. */
  rollBack(): void {
    this.#shown.length = this.#committed
    this.#kept.length = this.#committed
  }

  /** The turn is over: what was only shown is forgotten. */
  endTurn(): void {
    this.rollBack()
    const kept = this.#kept.slice(this.#turnStart)
    const messages = kept.filter((message) => message !== undefined)
    this.#shown.length = this.#turnStart
    this.#kept.length = this.#turnStart
    this.#shown.push(...messages)
    this.#kept.push(...messages)
    this.#committed = this.#kept.length
    this.#turnStart = this.#committed
  }

  /** A model has read all that is shown now, and added its reply. */
  noteUsage({ inputTokens, outputTokens }: Usage): void {
    const messages = this.#shown.length + 1
    this.#measured = { tokens: inputTokens + outputTokens, messages }
  }

  /** About how many tokens a model would have to read. */
  get usedTokens(): number {
    const { tokens, messages } = this.#measured
    return tokens + estimateTokens(this.#shown.slice(messages))
  }

  /** How many of the shown messages are committed. */
  get committed(): number {
    return this.#committed
  }

  /** Puts one in the place of the oldest messages; says how many were kept. */
  compact(count: number, replacement: Message): number {
    const removed = this.#kept.splice(0, count, replacement)
    this.#shown.splice(0, count, replacement)
    this.#committed -= count - 1
    this.#turnStart = Math.max(1, this.#turnStart - (count - 1))
    this.#measured = { tokens: 0, messages: 0 }
    return removed.filter((message) => message !== undefined).length
  }
}

function userMessage(content: UserContent): Message {
  return freezeDeep({ role: 'user', content: [...content] })
}
