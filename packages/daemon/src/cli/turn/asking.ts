import type { AgentEvent, JsonObject } from 'hookline/lifecycle'
import type { Client } from '../../protocol/client.ts'
import { readNotice } from '../../protocol/notices.ts'
import type { OutputOf } from '../../protocol/operations.ts'
import type { StreamItem } from '../../protocol/schemas/events.ts'
import { explainError } from '../explain-error.ts'
import { findPending } from './ask-approval.ts'

/** Puts what agents ask before whoever is there. */
export interface Asker {
  /** It can be answered; the signal says that nobody needs that any more. */
  askApproval(asked: AskedApproval, signal: AbortSignal): Promise<void>
  askQuestions(asked: AskedQuestions, signal: AbortSignal): Promise<void>
}

export interface AskedApproval {
  readonly id: string
  /** What could be changed, where it is known. */
  readonly args?: JsonObject
}

export type AskedQuestions = OutputOf<'listQuestions'>['items'][number]

export interface AskingOptions {
  readonly client: Client
  readonly sessionId: string
  readonly asker: Asker
  readonly onError: (message: string) => void
}

/**
 * Watches a stream for what somebody has to answer, and has it asked, one
 * after the other. What is answered elsewhere is withdrawn.
 */
export class Asking {
  readonly #options: AskingOptions
  /** What is to be asked or was, by its id, until it is settled. */
  readonly #open = new Map<string, AbortController>()
  /** An event may tell them when a notice has told of the question. */
  readonly #args = new Map<string, JsonObject>()
  #queue: Promise<void> = Promise.resolve()

  constructor(options: AskingOptions) {
    this.#options = options
  }

  see(item: StreamItem): void {
    if (item.type === 'notice') {
      this.#seeNotice(item)
      return
    }
    if (item.type !== 'event') {
      // What is to be asked may be among what was left out.
      this.look()
      return
    }
    const { event } = item
    if (event.type === 'permission-start') {
      // Where a turn goes on, the question is there already, and is not new.
      const { id, call } = event.question
      this.#askApproval({ id, args: call.args })
    } else if (event.type === 'permission-end') {
      this.#settle(event.questionId)
    } else if (event.type === 'tool-end') {
      this.#settle(questionKey(event.callId))
    } else if (event.type === 'turn-end' && this.#isOwn(event)) {
      for (const id of [...this.#open.keys()]) this.#settle(id)
    }
  }

  #seeNotice(item: StreamItem): void {
    if (readNotice(item, 'questions-asked')) this.#lookForQuestions()
    const { callId } = readNotice(item, 'questions-answered') ?? {}
    if (callId !== undefined) this.#settle(questionKey(callId))
    // Its event may be too large for any stream.
    const { approvalId } = readNotice(item, 'approval-asked') ?? {}
    if (approvalId !== undefined) this.#askApproval({ id: approvalId })
  }

  #isOwn({ sessionId }: AgentEvent): boolean {
    return sessionId === this.#options.sessionId
  }

  /** Asks what waits already. */
  look(): void {
    this.#lookForQuestions()
    const { client, sessionId } = this.#options
    this.#enqueue(async () => {
      const { items } = await client.listApprovals({ sessionId })
      for (const { id, state } of items) {
        if (state === 'pending') this.#askApproval({ id })
      }
    })
  }

  /** Nobody is asked any more. */
  async close(): Promise<void> {
    for (const id of [...this.#open.keys()]) this.#settle(id)
    await this.#queue
  }

  #askApproval({ id, args: told }: AskedApproval): void {
    const { client, asker } = this.#options
    if (told !== undefined) this.#args.set(id, told)
    this.#ask(id, async (signal) => {
      const pending = await findPending(client, id, signal)
      if (pending === undefined) return
      const args = this.#args.get(id)
      await asker.askApproval({ id, ...(args && { args }) }, signal)
    })
  }

  #lookForQuestions(): void {
    const { client, sessionId, asker } = this.#options
    this.#enqueue(async () => {
      const { items } = await client.listQuestions({ sessionId })
      for (const asked of items) {
        this.#ask(questionKey(asked.callId), (signal) =>
          asker.askQuestions(asked, signal),
        )
      }
    })
  }

  #ask(id: string, ask: (signal: AbortSignal) => Promise<void>): void {
    if (this.#open.has(id)) return
    const controller = new AbortController()
    this.#open.set(id, controller)
    this.#enqueue(async () => {
      if (!controller.signal.aborted) await ask(controller.signal)
    })
  }

  #settle(id: string): void {
    this.#open.get(id)?.abort()
    this.#open.delete(id)
    this.#args.delete(id)
  }

  #enqueue(work: () => Promise<void>): void {
    this.#queue = this.#queue.then(work).catch((error: unknown) => {
      this.#options.onError(explainError(error).message)
    })
  }
}

function questionKey(callId: string): string {
  return `questions of ${callId}`
}
