import { type InboxMessage, readStoredSession } from '@hookline/agent/durable'
import type { Actor, AgentEvent, JsonObject } from 'hookline/lifecycle'
import type { HostParts } from './host-parts.ts'
import { type Became, textIn } from './inbox-messages.ts'

/**
 * Answers to questions of one session that came through its inbox. One is done
 * when the journal has the end of the call that asked; after a crash the call
 * asks again, and the answer is there. Of a call that has ended none counts:
 * it has been used, or is too late.
 */
export class AnswerMessages {
  readonly #parts: HostParts
  readonly #sessionId: string
  readonly #end: (id: string, became: Became) => Promise<void>
  /** By call: what was given, and is part of no journal yet. */
  readonly #given = new Map<string, Set<string>>()

  constructor(
    parts: HostParts,
    sessionId: string,
    end: (id: string, became: Became) => Promise<void>,
  ) {
    this.#parts = parts
    this.#sessionId = sessionId
    this.#end = end
  }

  async take({ id, body }: InboxMessage): Promise<void> {
    const callId = textIn(body, 'callId') ?? ''
    if (!(await this.#isAsked(callId))) {
      await this.#end(id, receipt({ type: 'late' }))
      return
    }
    const received = this.#give(callId, body)
    if (received['type'] !== 'accepted' && received['type'] !== 'early') {
      await this.#end(id, receipt(received))
      return
    }
    const ids = this.#given.get(callId) ?? new Set()
    this.#given.set(callId, ids.add(id))
  }

  note(event: AgentEvent): void {
    if (event.type !== 'tool-end' || event.sessionId !== this.#sessionId) return
    const ids = this.#given.get(event.callId)
    if (ids === undefined) return
    this.#given.delete(event.callId)
    for (const id of ids) {
      this.#end(id, receipt({ type: 'accepted' })).catch((error: unknown) =>
        this.#parts.noteError('inbox-done', error),
      )
    }
  }

  #give(callId: string, body: JsonObject): JsonObject {
    const { questions } = this.#parts
    const place = { sessionId: this.#sessionId, callId }
    // As whoever left it wrote it down.
    const by = body['by'] as Actor | undefined
    if (body['answers'] !== undefined) {
      return { ...questions.answer(place, body['answers'], { by }) }
    }
    const reason = textIn(body, 'reason')
    const wasThere = questions.dismiss(place, reason, { by })
    return { type: wasThere ? 'accepted' : 'late' }
  }

  /** Somebody waits for it here, or will: its call has begun and not ended. */
  async #isAsked(callId: string): Promise<boolean> {
    const { questions, store } = this.#parts
    const pending = questions.pending(this.#sessionId)
    if (pending.some((one) => one.callId === callId)) return true
    const stored = await readStoredSession(store.parts, this.#sessionId)
    const call = stored?.openTurn?.calls.get(callId)
    return call?.sealed !== undefined && call.ended === undefined
  }
}

function receipt(value: JsonObject): Became {
  return { type: 'ok', value }
}
