import type { Message, SealedCall, ToolResult } from 'hookline/lifecycle'
import { asError } from '../data/as-error.ts'
import { AgentError } from '../ports/agent-error.ts'

/** Calls of a turn that wait for the client of the session, by their ids. */
export class ClientCalls {
  readonly #waiting = new Map<string, (result: ToolResult) => void>()
  /** Results that came before their call was handed over. */
  readonly #early = new Map<string, ToolResult>()
  /** Calls that were handed over: of these a result is no longer early. */
  readonly #forwarded = new Set<string>()

  async forward({ id }: SealedCall, signal: AbortSignal): Promise<ToolResult> {
    signal.throwIfAborted()
    this.#forwarded.add(id)
    const early = this.#early.get(id)
    if (early !== undefined) {
      this.#early.delete(id)
      return early
    }
    return new Promise((resolve, reject) => {
      const onAbort = () => {
        this.#waiting.delete(id)
        reject(asError(signal.reason))
      }
      signal.addEventListener('abort', onAbort, { once: true })
      this.#waiting.set(id, (result) => {
        signal.removeEventListener('abort', onAbort)
        this.#waiting.delete(id)
        resolve(result)
      })
    })
  }

  /**
   * Takes the client's result. One for a call that is still being judged is
   * kept for it; a second one, or one for no call, is refused.
   */
  resolve(callId: string, result: ToolResult, isJudged: boolean): void {
    const waiting = this.#waiting.get(callId)
    if (waiting !== undefined) {
      waiting(result)
      return
    }
    const isKnown = this.#early.has(callId) || this.#forwarded.has(callId)
    if (!isJudged || isKnown) {
      const message = `No call "${callId}" waits for a result.`
      throw new AgentError('unknown-call', message)
    }
    this.#early.set(callId, result)
  }
}

/** Whether the model has just made this call. */
export function hasCall(message: Message | undefined, callId: string): boolean {
  if (message?.role !== 'assistant') return false
  return message.content.some(
    (block) => block.type === 'tool_call' && block.id === callId,
  )
}
