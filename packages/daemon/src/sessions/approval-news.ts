import { topics } from '@hookline/agent/durable'
import type { AgentEvent } from 'hookline/lifecycle'
import type { HostParts } from './host-parts.ts'

/** What is asked beyond that is found by looking now and then. */
const maxFollowed = 1_000

/**
 * Looks at once when somebody has answered what people were asked: the turn
 * may be nobody's by then.
 */
export class ApprovalNews {
  readonly #parts: Pick<HostParts, 'store' | 'lookSoon'>
  readonly #followed = new Map<string, () => void>()

  constructor(parts: Pick<HostParts, 'store' | 'lookSoon'>) {
    this.#parts = parts
  }

  note(event: AgentEvent): void {
    if (event.type === 'permission-start') this.#follow(event.question.id)
    if (event.type === 'permission-end') this.#unfollow(event.questionId)
  }

  close(): void {
    for (const id of [...this.#followed.keys()]) this.#unfollow(id)
  }

  #follow(id: string): void {
    const { store, lookSoon } = this.#parts
    if (this.#followed.has(id)) return
    const [oldest] = this.#followed.keys()
    if (this.#followed.size >= maxFollowed && oldest) this.#unfollow(oldest)
    const options = { isPolled: false }
    const stop = store.signals.on(topics.approval(id), lookSoon, options)
    this.#followed.set(id, stop)
  }

  #unfollow(id: string): void {
    this.#followed.get(id)?.()
    this.#followed.delete(id)
  }
}
