import type { Usage } from 'hookline/lifecycle'
import { costOf } from '../ports/cost-of.ts'
import type { ModelPrice } from '../ports/model.ts'

interface TallyCount {
  readonly usage: Usage
  readonly cost: number
  readonly toolCalls: number
}

/** What a turn has used so far, with all that was done on its behalf. */
export class Tally {
  readonly #parent: Tally | undefined
  inputTokens = 0
  outputTokens = 0
  cacheReadTokens = 0
  cacheWriteTokens = 0
  reasoningTokens = 0
  cost = 0
  toolCalls = 0
  /** Whether the journal has all of it, and the step that it belongs to. */
  isNoted = true
  #waitedMs = 0
  /** How many people are being waited for, and since when. */
  #waits = 0
  #waitsSinceMs = 0
  #questions = 0

  constructor(parent?: Tally) {
    this.#parent = parent
  }

  get tokens(): number {
    return this.inputTokens + this.outputTokens
  }

  get usage(): Usage {
    return {
      inputTokens: this.inputTokens,
      outputTokens: this.outputTokens,
      cacheReadTokens: this.cacheReadTokens,
      cacheWriteTokens: this.cacheWriteTokens,
      reasoningTokens: this.reasoningTokens,
    }
  }

  /** Goes on from what another process has counted. */
  restore({ usage, cost, toolCalls }: TallyCount): void {
    this.addUsage(usage, undefined)
    this.cost += cost
    this.toolCalls += toolCalls
  }

  addUsage(usage: Usage, price: ModelPrice | undefined): void {
    const { cacheReadTokens = 0, cacheWriteTokens = 0 } = usage
    this.isNoted = false
    this.inputTokens += usage.inputTokens
    this.outputTokens += usage.outputTokens
    this.cacheReadTokens += cacheReadTokens
    this.cacheWriteTokens += cacheWriteTokens
    this.reasoningTokens += usage.reasoningTokens ?? 0
    if (price !== undefined) this.cost += costOf(usage, price)
    this.#parent?.addUsage(usage, price)
  }

  addToolCalls(count: number): void {
    this.isNoted = false
    this.toolCalls += count
    this.#parent?.addToolCalls(count)
  }

  /** Somebody is asked: for a permission, or by a tool. */
  beginWait(nowMs: number, type: 'permission' | 'tool'): void {
    if (this.#waits === 0) this.#waitsSinceMs = nowMs
    this.#waits++
    if (type === 'permission') this.#questions++
    this.#parent?.beginWait(nowMs, type)
  }

  endWait(nowMs: number, type: 'permission' | 'tool'): void {
    this.#waits--
    if (this.#waits === 0) this.#waitedMs += nowMs - this.#waitsSinceMs
    if (type === 'permission') this.#questions--
    this.#parent?.endWait(nowMs, type)
  }

  /** Whether people are asked for a permission. */
  get isAsking(): boolean {
    return this.#questions > 0
  }

  /** Time spent waiting for people. */
  waitedMs(nowMs: number): number {
    const open = this.#waits > 0 ? nowMs - this.#waitsSinceMs : 0
    return this.#waitedMs + open
  }
}
