import type { ModelContent, TextEvent } from 'hookline/lifecycle'
import { type Holding, releasable } from './hold-back.ts'

type Wait = void | Promise<void>

interface Block {
  readonly kind: 'text' | 'reasoning'
  /** As watchers know it; models use theirs again. */
  readonly id: string
  readonly source: string | undefined
  text: string
  /** How much of it has gone out. */
  sent: number
  isStarted: boolean
  isEnded: boolean
}

/**
 * Lets a reply out piece by piece: what gates hold back stays here until they
 * have answered. Brackets are well formed, whatever the model does.
 */
export class ReplyStream {
  readonly #emit: (event: TextEvent) => Wait
  readonly #holding: Holding
  readonly #nextId: () => string
  readonly #blocks: Block[] = []

  constructor(
    holding: Holding,
    nextId: () => string,
    emit: (event: TextEvent) => Wait,
  ) {
    this.#holding = holding
    this.#nextId = nextId
    this.#emit = emit
  }

  /** Whether anything of the reply has gone out. */
  get isReleased(): boolean {
    return this.#blocks.some(({ sent }) => sent > 0)
  }

  /** Takes a part as it comes from the model. */
  push(part: TextEvent): Wait {
    const kind = part.type.startsWith('text') ? 'text' : 'reasoning'
    const open = this.#blocks.find(({ source }) => source === part.id)
    if (part.type.endsWith('-end')) return undefined
    const block = open ?? this.#begin(kind, part.id)
    if (!('text' in part)) return undefined
    block.text += part.text
    return this.#send(block, releasable(block.text, this.#holding))
  }

  /**
   * The gates have answered: lets out what they left of the reply. What went
   * out before and is no longer part of it cannot be taken back; returns
   * whether there was such.
   */
  async release(content: ModelContent): Promise<boolean> {
    let isContradicted = false
    let at = 0
    for (const { type, ...block } of content) {
      if (type !== 'text' && type !== 'reasoning') continue
      const text = 'text' in block ? block.text : ''
      const known = this.#blocks[at]
      at++
      const sent = known?.text.slice(0, known.sent) ?? ''
      const fits = known?.kind === type && text.startsWith(sent)
      if (known !== undefined && fits) {
        known.text = text
        await this.#finish(known)
        continue
      }
      isContradicted ||= sent !== ''
      if (known?.isStarted) await this.#end(known)
      const fresh = this.#begin(type)
      fresh.text = text
      await this.#finish(fresh)
    }
    for (const block of this.#blocks.slice(at)) {
      if (!block.isStarted || block.isEnded) continue
      isContradicted = true
      await this.#end(block)
    }
    return isContradicted
  }

  /** Nothing more of it goes out. */
  async close(): Promise<void> {
    for (const block of this.#blocks) {
      if (block.isStarted && !block.isEnded) await this.#end(block)
    }
  }

  #begin(kind: Block['kind'], source?: string): Block {
    const block: Block = {
      kind,
      id: this.#nextId(),
      source,
      text: '',
      sent: 0,
      isStarted: false,
      isEnded: false,
    }
    this.#blocks.push(block)
    return block
  }

  async #finish(block: Block): Promise<void> {
    await this.#send(block, block.text.length)
    if (block.isStarted && !block.isEnded) await this.#end(block)
  }

  #send(block: Block, until: number): Wait {
    if (until <= block.sent) return undefined
    const { kind, id } = block
    const text = block.text.slice(block.sent, until)
    block.sent = until
    if (block.isStarted) return this.#emit({ type: `${kind}-delta`, id, text })
    block.isStarted = true
    const started = this.#emit({ type: `${kind}-start`, id })
    const told = this.#emit({ type: `${kind}-delta`, id, text })
    return started === undefined ? told : started.then(() => told)
  }

  #end(block: Block): Wait {
    block.isEnded = true
    return this.#emit({ type: `${block.kind}-end`, id: block.id })
  }
}
