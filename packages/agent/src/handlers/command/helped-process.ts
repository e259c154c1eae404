import type { OutputListeners } from './child-streams.ts'
import type { FromHelper, ToHelper } from './helper-messages.ts'
import type { HowItEnded, LivingProcess } from './living-process.ts'

/** What it asks of the helper, which knows which process is meant. */
type Asked =
  Extract<
    ToHelper,
    { type: 'write' | 'end-input' | 'terminate' | 'kill' }
  > extends infer M
    ? M extends ToHelper
      ? Omit<M, 'id'> & Pick<M, 'type'>
      : never
    : never

export interface HelperLink {
  readonly send: (message: Asked) => void
  readonly hold: (isHeld: boolean) => void
  readonly ended: () => void
}

/** A process that the helper has started and passes on. */
export class HelpedProcess implements LivingProcess {
  readonly ended: Promise<HowItEnded>
  readonly #listeners: OutputListeners
  readonly #link: HelperLink
  #unread = 0
  #end: (how: HowItEnded) => void = () => {}

  constructor(listeners: OutputListeners, link: HelperLink) {
    this.#listeners = listeners
    this.#link = link
    this.ended = new Promise((resolve) => {
      this.#end = resolve
    })
  }

  get unreadBytes(): number {
    return this.#unread
  }

  take(message: FromHelper): void {
    if (message.type === 'output') {
      this.#listeners[message.stream](message.chunk)
    } else if (message.type === 'unread') {
      this.#unread = message.bytes
    } else if (message.type === 'ended') {
      this.#link.ended()
      this.#end(message.how)
    }
  }

  write(text: string): void {
    this.#link.send({ type: 'write', text })
  }

  endInput(): void {
    this.#link.send({ type: 'end-input' })
  }

  terminate(): void {
    this.#link.send({ type: 'terminate' })
  }

  kill(): void {
    this.#link.send({ type: 'kill' })
  }

  hold(isHeld: boolean): void {
    this.#link.hold(isHeld)
  }
}
