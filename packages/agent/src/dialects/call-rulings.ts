import { createHash } from 'node:crypto'
import type { AgentScope, JsonObject, ToolCall } from 'hookline/lifecycle'
import { canonicalJson } from '../seal/canonical-json.ts'
import { keep } from './keep.ts'

interface OfCall {
  readonly sessionId: string | undefined
  readonly turnId: string | undefined
}

/** What is left to say at the guard. */
interface Ruling extends OfCall {
  readonly questions: readonly string[]
  readonly stop?: Said
}

interface Approval extends OfCall {
  readonly argsHash: string
  readonly by: string
  readonly hook: string
}

/** By the hook at the point, which has all handlers of an event in it. */
interface Said {
  readonly hook: string
  readonly reason: string
}

type Called = Pick<ToolCall, 'id'>
type CalledWith = Pick<ToolCall, 'id' | 'args'>

/**
 * What hooks have said about a call before its guard, which says it; a question
 * is about the call, whatever becomes of its arguments. An approval is for the
 * arguments that it was given for, and answers no question here.
 */
export class CallRulings {
  // Without a limit: a question that was forgotten would be a consent.
  readonly #rulings = new Map<string, Ruling>()
  // Without an approval a person is asked.
  readonly #approvals = new Map<string, Approval>()

  /** A hook judges the call anew: what it asked stands, and nothing else. */
  begin(call: Called, scope: AgentScope, hook: string): void {
    const key = keyOf(call, scope)
    if (this.#approvals.get(key)?.hook === hook) this.#approvals.delete(key)
    const { stop, ...rest } = this.#rulingOn(call, scope)
    if (stop?.hook !== hook) return
    if (rest.questions.length === 0) this.#rulings.delete(key)
    else this.#rulings.set(key, rest)
  }

  /** The call is not made, and the turn ends. */
  stop(call: Called, scope: AgentScope, stop: Said): void {
    const ruling = this.#rulingOn(call, scope)
    this.#rulings.set(keyOf(call, scope), { ...ruling, stop })
  }

  ask(call: Called, scope: AgentScope, question: string): void {
    const ruling = this.#rulingOn(call, scope)
    const questions = [...new Set([...ruling.questions, question])]
    this.#rulings.set(keyOf(call, scope), { ...ruling, questions })
  }

  approve(
    { id, args }: CalledWith,
    scope: AgentScope,
    who: { readonly by: string; readonly hook: string },
  ): void {
    const { sessionId, turnId } = scope
    const approval = { sessionId, turnId, argsHash: hashOf(args), ...who }
    keep(this.#approvals, keyOf({ id }, scope), approval)
  }

  stopOf(call: Called, scope: AgentScope): string | undefined {
    return this.#rulingOn(call, scope).stop?.reason
  }

  questionOn(call: Called, scope: AgentScope): string | undefined {
    const { questions } = this.#rulingOn(call, scope)
    return questions.length === 0 ? undefined : questions.join('\n')
  }

  /** Who has allowed a call, if it is still the same call and nobody asks. */
  approverOf(call: CalledWith, scope: AgentScope): string | undefined {
    const approval = this.#approvals.get(keyOf(call, scope))
    if (approval === undefined || this.isLeft(call, scope)) return undefined
    return approval.argsHash === hashOf(call.args) ? approval.by : undefined
  }

  /** Whether there is something that its guard has to say. */
  isLeft(call: Called, scope: AgentScope): boolean {
    return this.#rulings.has(keyOf(call, scope))
  }

  has(call: Called, scope: AgentScope): boolean {
    return this.isLeft(call, scope) || this.#approvals.has(keyOf(call, scope))
  }

  forget(call: Called, scope: AgentScope): void {
    this.#rulings.delete(keyOf(call, scope))
    this.#approvals.delete(keyOf(call, scope))
  }

  /** Calls of a turn that has been cut off have no end of their own. */
  hasOlder(scope: AgentScope): boolean {
    return this.#all.some((kept) =>
      [...kept.values()].some((one) => isOlder(one, scope)),
    )
  }

  forgetOlder(scope: AgentScope): void {
    this.#forgetIf((one) => isOlder(one, scope))
  }

  endSession(sessionId: string): void {
    this.#forgetIf((one) => one.sessionId === sessionId)
  }

  get #all(): readonly Map<string, OfCall>[] {
    return [this.#rulings, this.#approvals]
  }

  #rulingOn(call: Called, scope: AgentScope): Ruling {
    const { sessionId, turnId } = scope
    const ruling = this.#rulings.get(keyOf(call, scope))
    return ruling ?? { sessionId, turnId, questions: [] }
  }

  #forgetIf(isOver: (one: OfCall) => boolean): void {
    for (const kept of this.#all) {
      for (const [key, one] of kept) if (isOver(one)) kept.delete(key)
    }
  }
}

/** The id of a call is its provider's, and another turn may have the same. */
function keyOf({ id }: Called, { sessionId, turnId }: AgentScope): string {
  return JSON.stringify([sessionId, turnId, id])
}

function hashOf(args: JsonObject): string {
  return createHash('sha256').update(canonicalJson(args)).digest('base64')
}

/** A session has one turn at a time; not every product names it. */
function isOlder(one: OfCall, { sessionId, turnId }: AgentScope): boolean {
  if (sessionId === undefined || one.sessionId !== sessionId) return false
  return turnId === undefined || one.turnId !== turnId
}
