import { countCodePoints } from 'hookline'
import type { ModelContent, TextEvent } from 'hookline/lifecycle'
import { type Holding, releasable } from './hold-back.ts'

type Wait = void | Promise<void>
type Kind = 'text' | 'reasoning'

interface Block {
  readonly kind: Kind
  /** The model's own id, until it has ended the block; it may use it again. */
  source: string | undefined
  /** As watchers know it; empty until they have heard of it. */
  id: string
  text: string
  /** How much of it has gone out. */
  sent: number
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
  /** The gates have answered, or nobody will: the model is not heard again. */
  #isClosed = false

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
    if (this.#isClosed) return undefined
    const kind = part.type.startsWith('text') ? 'text' : 'reasoning'
    const open = this.#blocks.findLast(
      (block) => block.source === part.id && block.kind === kind,
    )
    if (!('text' in part)) {
      const ended = open && this.#complete(open)
      if (part.type.endsWith('-start')) this.#begin(kind, part.id)
      return ended
    }
    const block = open ?? this.#begin(kind, part.id)
    block.text += part.text
    const freed = this.#freeTails()
    const told = this.#send(block, releasable(block.text, this.#holding))
    return freed === undefined ? told : freed.then(() => told)
  }

  /**
   * The gates have answered: lets out what they left of the reply. What went
   * out before and is no longer part of it cannot be taken back; returns
   * whether there was such.
   */
  async release(content: ModelContent): Promise<boolean> {
    this.#isClosed = true
    const streamed = this.#blocks.filter(({ text }) => text !== '')
    let isContradicted = false
    for (const block of content) {
      const { type } = block
      if (type !== 'text' && type !== 'reasoning') continue
      if (block.text === '') continue
      const known = takeNext(streamed, type)
      const sent = known?.text.slice(0, known.sent) ?? ''
      const fits = known?.kind === type && block.text.startsWith(sent)
      if (known !== undefined && !fits) await this.#end(known)
      isContradicted ||= !fits && sent !== ''
      await this.#finish(known && fits ? known : this.#begin(type), block.text)
    }
    for (const block of streamed) {
      isContradicted ||= block.sent > 0
      await this.#end(block)
    }
    return isContradicted
  }

  /** Nothing more of it goes out. */
  async close(): Promise<void> {
    this.#isClosed = true
    for (const block of this.#blocks) await this.#end(block)
  }

  #begin(kind: Kind, source?: string): Block {
    const block = { kind, source, id: '', text: '', sent: 0, isEnded: false }
    this.#blocks.push(block)
    return block
  }

  /** The model has ended a block; what is held back of it may still come. */
  #complete(block: Block): Wait {
    block.source = undefined
    return block.sent === block.text.length ? this.#end(block) : undefined
  }

  /** What is behind newer text need not be held back, and goes out before it. */
  #freeTails(): Wait {
    if (this.#holding.isAll) return undefined
    const waits: Wait[] = []
    for (const [at, block] of this.#blocks.entries()) {
      const { text, source, sent } = block
      if (source !== undefined || sent === text.length) continue
      const newer = this.#blocks.slice(at + 1).map((one) => one.text)
      const count = countCodePoints(newer.join(''))
      if (count === 0) continue
      const window = this.#holding.window - count
      const isFree = window <= 0
      const tail = { isAll: false, isSentence: false, window }
      const until = isFree ? text.length : releasable(text, tail)
      waits.push(this.#send(block, until))
      if (isFree) waits.push(this.#end(block))
    }
    return waits.findLast((wait) => wait !== undefined)
  }

  /** Lets out the whole block, as it was judged. */
  async #finish(block: Block, text: string): Promise<void> {
    const rest = text.slice(block.sent)
    if (block.isEnded && rest !== '') {
      await this.#finish(this.#begin(block.kind), rest)
      return
    }
    block.text = text
    await this.#send(block, text.length)
    await this.#end(block)
  }

  #send(block: Block, until: number): Wait {
    if (until <= block.sent) return undefined
    const { kind } = block
    const text = block.text.slice(block.sent, until)
    const isFirst = block.sent === 0
    block.sent = until
    if (!isFirst) {
      return this.#emit({ type: `${kind}-delta`, id: block.id, text })
    }
    const id = this.#nextId()
    block.id = id
    const started = this.#emit({ type: `${kind}-start`, id })
    const told = this.#emit({ type: `${kind}-delta`, id, text })
    return started === undefined ? told : started.then(() => told)
  }

  /** Closes a block that somebody has heard of, once. */
  #end(block: Block): Wait {
    if (block.sent === 0 || block.isEnded) return undefined
    block.isEnded = true
    return this.#emit({ type: `${block.kind}-end`, id: block.id })
  }
}

/** The next block of the model's; what nobody has seen need not be matched. */
function takeNext(streamed: Block[], kind: Kind): Block | undefined {
  let next = streamed.shift()
  while (next !== undefined && next.sent === 0 && next.kind !== kind) {
    next = streamed.shift()
  }
  return next
}
