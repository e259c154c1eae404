import type { AgentScope, JsonObject, ToolCall } from 'hookline/lifecycle'
import { isSameData } from '../data/same-data.ts'

interface Ruling {
  readonly sessionId: string | undefined
  readonly turnId: string | undefined
  readonly questions: readonly string[]
  readonly stop?: string
  readonly approval?: { readonly args: JsonObject; readonly by: string }
}

type Called = Pick<ToolCall, 'id'>
type CalledWith = Pick<ToolCall, 'id' | 'args'>

/**
 * What hooks have said about a call, for as long as there is the call. A
 * question is about the call, whatever becomes of its arguments; an approval is
 * for the arguments that it was given for, and answers no question here.
 */
export class CallRulings {
  // Without a limit: a question that was forgotten would be a consent.
  readonly #rulings = new Map<string, Ruling>()

  /** The call is not made, and the turn ends. */
  stop(call: Called, scope: AgentScope, reason: string): void {
    const ruling = this.#rulingOn(call, scope)
    this.#rulings.set(keyOf(call, scope), { ...ruling, stop: reason })
  }

  ask(call: Called, scope: AgentScope, question: string): void {
    const ruling = this.#rulingOn(call, scope)
    const questions = [...new Set([...ruling.questions, question])]
    this.#rulings.set(keyOf(call, scope), { ...ruling, questions })
  }

  approve({ id, args }: CalledWith, scope: AgentScope, by: string): void {
    const ruling = this.#rulingOn({ id }, scope)
    const approval = { args, by }
    this.#rulings.set(keyOf({ id }, scope), { ...ruling, approval })
  }

  stopOf(call: Called, scope: AgentScope): string | undefined {
    return this.#rulingOn(call, scope).stop
  }

  questionOn(call: Called, scope: AgentScope): string | undefined {
    const { questions } = this.#rulingOn(call, scope)
    return questions.length === 0 ? undefined : questions.join('\n')
  }

  /** Who has allowed a call, if it is still the same call and nobody asks. */
  approverOf(call: CalledWith, scope: AgentScope): string | undefined {
    const { approval, questions } = this.#rulingOn(call, scope)
    if (approval === undefined || questions.length > 0) return undefined
    return isSameData(approval.args, call.args) ? approval.by : undefined
  }

  has(call: Called, scope: AgentScope): boolean {
    return this.#rulings.has(keyOf(call, scope))
  }

  forget(call: Called, scope: AgentScope): void {
    this.#rulings.delete(keyOf(call, scope))
  }

  /** Calls of a turn that has been cut off have no end of their own. */
  hasOlder(scope: AgentScope): boolean {
    return [...this.#rulings.values()].some((one) => isOlder(one, scope))
  }

  forgetOlder(scope: AgentScope): void {
    this.#forgetIf((one) => isOlder(one, scope))
  }

  endSession(sessionId: string): void {
    this.#forgetIf((one) => one.sessionId === sessionId)
  }

  #rulingOn(call: Called, scope: AgentScope): Ruling {
    const { sessionId, turnId } = scope
    const ruling = this.#rulings.get(keyOf(call, scope))
    return ruling ?? { sessionId, turnId, questions: [] }
  }

  #forgetIf(isOver: (ruling: Ruling) => boolean): void {
    for (const [key, ruling] of this.#rulings) {
      if (isOver(ruling)) this.#rulings.delete(key)
    }
  }
}

/** The id of a call is its provider's, and another turn may have the same. */
function keyOf({ id }: Called, { sessionId, turnId }: AgentScope): string {
  return JSON.stringify([sessionId, turnId, id])
}

/** A session has one turn at a time. */
function isOlder(ruling: Ruling, { sessionId, turnId }: AgentScope): boolean {
  if (sessionId === undefined) return false
  return ruling.sessionId === sessionId && ruling.turnId !== turnId
}
