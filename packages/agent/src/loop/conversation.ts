import { freezeDeep } from 'hookline'
import type {
  MediaBlock,
  Message,
  TextBlock,
  Usage,
  UserContent,
} from 'hookline/lifecycle'
import type { ConversationTail } from '../ports/store.ts'
import { estimateTokens } from './estimate-tokens.ts'
import { joinUsers, userMessage } from './user-message.ts'

/** Words of the user that were joined to a message committed before them. */
interface Joined {
  readonly at: number
  readonly shown: Message
  readonly kept: Message | undefined
  content: readonly MediaBlock[]
}

/**
 * The messages of a session. While a turn runs, its own are shown to the model
 * with what hooks have added for this turn, and kept without; they count for
 * later turns once they are committed. Two user messages in a row are one.
 */
export class Conversation {
  /** As the model is shown them. */
  readonly #shown: Message[]
  /** The same as history has them; undefined for what is only shown. */
  readonly #kept: (Message | undefined)[]
  #committed: number
  /** From here on, what is shown may not be what is kept. */
  #dirtyFrom: number
  #joined: Joined | undefined
  /** Whether the turn that runs has committed anything. */
  #isTouched = false
  /** What a model has counted, and how many messages that was. */
  #measured = { tokens: 0, messages: 0 }

  constructor(history: readonly Message[] = []) {
    // Not every store freezes what it gives.
    this.#shown = history.map(freezeDeep)
    this.#kept = [...this.#shown]
    this.#committed = history.length
    this.#dirtyFrom = history.length
  }

  get shown(): readonly Message[] {
    return this.#shown
  }

  /** What would stay if the turn ended here. */
  get history(): readonly Message[] {
    const kept = this.#kept.slice(0, this.#committed)
    if (this.#joined !== undefined) kept[this.#joined.at] = this.#joined.kept
    return kept.filter((message) => message !== undefined)
  }

  get last(): Message | undefined {
    return this.#shown.at(-1)
  }

  /** How many of the shown messages are committed. */
  get committed(): number {
    return this.#committed
  }

  get isTouched(): boolean {
    return this.#isTouched
  }

  /** Adds a message of the model's, or the results of its calls. */
  add(given: Message): void {
    const message = freezeDeep(given)
    this.#shown.push(message)
    this.#kept.push(message)
  }

  /** Adds what the user says, and what only the model is shown before it. */
  addUser(content: UserContent, extra: readonly TextBlock[] = []): void {
    const at = this.#shown.length - 1
    const shown = this.last
    if (shown?.role !== 'user') {
      const kept = content.length > 0 ? userMessage(content) : undefined
      const isWhole = kept !== undefined && extra.length === 0
      this.#shown.push(isWhole ? kept : userMessage([...extra, ...content]))
      this.#kept.push(kept)
      return
    }
    const joined = this.#joinTo(at)
    if (joined) joined.content = [...joined.content, ...content]
    this.#shown[at] = userMessage([...shown.content, ...extra, ...content])
    this.#kept[at] = joinUsers(this.#kept[at], content)
  }

  /** Puts something before what the user has just said. */
  prependUser(kept: UserContent, passing: readonly TextBlock[]): void {
    const at = this.#shown.length - 1
    const shown = this.#shown[at]
    if (shown?.role !== 'user') {
      this.addUser(kept, passing)
      return
    }
    const joined = this.#joinTo(at)
    const base = joined?.shown.role === 'user' ? joined.shown.content : []
    const said = shown.content.slice(base.length)
    this.#shown[at] = userMessage([...base, ...kept, ...passing, ...said])
    if (joined) {
      joined.content = [...kept, ...joined.content]
      this.#kept[at] = joinUsers(joined.kept, joined.content)
    } else {
      const before = this.#kept[at]
      const words = before?.role === 'user' ? before.content : []
      this.#kept[at] = joinUsers(undefined, [...kept, ...words])
    }
  }

  /** Replaces the newest message of the model's, before it is committed. */
  replaceLast(given: Message): void {
    const message = freezeDeep(given)
    this.#shown[this.#shown.length - 1] = message
    this.#kept[this.#kept.length - 1] = message
  }

  /** What a commit would add to the history. */
  get pending(): readonly Message[] {
    const joined = this.#joined && joinUsers(undefined, this.#joined.content)
    const pending: Message[] = joined === undefined ? [] : [joined]
    for (let at = this.#committed; at < this.#kept.length; at++) {
      const message = this.#kept[at]
      if (message !== undefined) pending.push(message)
    }
    return pending
  }

  /** What is there now stays. */
  commit(): void {
    if (this.#kept.length > this.#committed || this.#joined) {
      this.#isTouched = true
    }
    this.#committed = this.#kept.length
    this.#joined = undefined
  }

  /** All from the first message on that may not be as it is kept. */
  get tail(): ConversationTail {
    const from = this.#dirtyFrom
    const joined = this.#joined
    const tail = {
      from,
      committed: this.#committed,
      shown: this.#shown.slice(from),
      kept: this.#kept.slice(from).map((message) => message ?? null),
    }
    if (joined === undefined) return tail
    return { ...tail, joined: { ...joined, kept: joined.kept ?? null } }
  }

  /** Goes on where another process has stopped, in the middle of a turn. */
  restore({ from, committed, shown, kept, joined }: ConversationTail): void {
    this.#shown.length = from
    this.#kept.length = from
    this.#shown.push(...shown.map(freezeDeep))
    this.#kept.push(...kept.map((one) => freezeDeep(one) ?? undefined))
    this.#committed = committed
    this.#dirtyFrom = from
    this.#isTouched = committed > from
    this.#joined = joined && {
      ...freezeDeep(joined),
      kept: joined.kept ?? undefined,
    }
  }

  /** Drops what has not been committed. */
  rollBack(): void {
    this.#cutTo(this.#committed)
    if (this.#joined !== undefined) {
      const { at, shown, kept } = this.#joined
      this.#shown[at] = shown
      this.#kept[at] = kept
      this.#joined = undefined
    }
    this.#forgetCount()
  }

  /** The turn is over: what was only shown is forgotten. */
  endTurn(): void {
    this.rollBack()
    if (this.#hasPassing()) {
      const kept = this.#kept.slice(this.#dirtyFrom)
      const messages = kept.filter((message) => message !== undefined)
      this.#cutTo(this.#dirtyFrom)
      this.#shown.push(...messages)
      this.#kept.push(...messages)
    }
    this.#committed = this.#kept.length
    this.#dirtyFrom = this.#committed
    this.#isTouched = false
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

  /** How many of the oldest messages are part of the history. */
  keptAmong(count: number): number {
    const oldest = this.#kept.slice(0, count)
    return oldest.filter((message) => message !== undefined).length
  }

  /** Puts what a user could have said in the place of the oldest messages. */
  compact(count: number, replacement: Message): void {
    this.#kept.splice(0, count, replacement)
    this.#shown.splice(0, count, replacement)
    this.#committed -= count - 1
    this.#dirtyFrom = Math.max(1, this.#dirtyFrom - (count - 1))
    this.#measured = { tokens: 0, messages: 0 }
    const [, next] = this.#shown
    if (next?.role === 'user') this.#joinNext(next.content)
  }

  /** The summary of what was removed, and the words after it, are one. */
  #joinNext(words: UserContent): void {
    const isCommitted = this.#committed > 1
    const kept = this.#kept[1]
    const content = kept?.role === 'user' ? kept.content : []
    if (!isCommitted) {
      const joined = this.#joinTo(0)
      if (joined) joined.content = content
    }
    this.#shown[0] = joinUsers(this.#shown[0], words) as Message // not blank
    this.#kept[0] = joinUsers(this.#kept[0], content)
    this.#shown.splice(1, 1)
    this.#kept.splice(1, 1)
    if (isCommitted) this.#committed--
    this.#dirtyFrom = this.#dirtyFrom <= 1 ? 0 : this.#dirtyFrom - 1
  }

  /** Notes what a committed message was before more is joined to it. */
  #joinTo(at: number): Joined | undefined {
    const shown = this.#shown[at]
    if (at >= this.#committed || shown === undefined) return undefined
    this.#joined ??= { at, shown, kept: this.#kept[at], content: [] }
    this.#dirtyFrom = Math.min(this.#dirtyFrom, at)
    return this.#joined
  }

  /** Whether anything of the turn is shown and not kept, or not as it is. */
  #hasPassing(): boolean {
    for (let at = this.#dirtyFrom; at < this.#kept.length; at++) {
      if (this.#kept[at] !== this.#shown[at]) return true
    }
    return false
  }

  #cutTo(length: number): void {
    // Also where it changes nothing, to set a length takes long.
    if (this.#shown.length > length) this.#shown.length = length
    if (this.#kept.length > length) this.#kept.length = length
  }

  /** What a model has counted is gone in part. */
  #forgetCount(): void {
    if (this.#measured.messages <= this.#shown.length) return
    this.#measured = { tokens: 0, messages: 0 }
  }
}
