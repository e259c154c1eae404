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
  /** What has gone out of it, and what has not. */
  readonly out: string[]
  held: string
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
    return this.#blocks.some(({ out }) => out.length > 0)
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
    block.held += part.text
    const freed = this.#freeTails()
    const told = this.#send(block, releasable(block.held, this.#holding))
    return freed === undefined ? told : freed.then(() => told)
  }

  /**
   * The gates have answered: lets out what they left of the reply. What went
   * out before and is no longer part of it cannot be taken back; returns
   * whether there was such.
   */
  async release(content: ModelContent): Promise<boolean> {
    this.#isClosed = true
    const streamed = this.#blocks.filter(
      ({ out, held }) => out.length > 0 || held !== '',
    )
    let isContradicted = false
    for (const block of content) {
      const { type } = block
      if (type !== 'text' && type !== 'reasoning') continue
      if (block.text === '') continue
      const known = takeNext(streamed, type)
      const sent = known?.out.join('') ?? ''
      const fits = known?.kind === type && block.text.startsWith(sent)
      if (known !== undefined && !fits) await this.#end(known)
      isContradicted ||= !fits && sent !== ''
      const rest = fits ? block.text.slice(sent.length) : block.text
      await this.#finish(known && fits ? known : this.#begin(type), rest)
    }
    for (const block of streamed) {
      isContradicted ||= block.out.length > 0
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
    const block: Block = {
      kind,
      source,
      id: '',
      out: [],
      held: '',
      isEnded: false,
    }
    this.#blocks.push(block)
    return block
  }

  /** The model has ended a block; what is held back of it may still come. */
  #complete(block: Block): Wait {
    block.source = undefined
    return block.held === '' ? this.#end(block) : undefined
  }

  /** What is behind newer text need not be held back, and goes out before it. */
  #freeTails(): Wait {
    if (this.#holding.isAll) return undefined
    const waits: Wait[] = []
    for (const [at, block] of this.#blocks.entries()) {
      const { held, source } = block
      if (source !== undefined || held === '') continue
      const newer = this.#blocks.slice(at + 1)
      const texts = newer.flatMap((one) => [...one.out, one.held])
      const count = countCodePoints(texts.join(''))
      if (count === 0) continue
      const window = this.#holding.window - count
      const isFree = window <= 0
      const tail = { isAll: false, isSentence: false, window }
      const until = isFree ? held.length : releasable(held, tail)
      waits.push(this.#send(block, until))
      if (isFree) waits.push(this.#end(block))
    }
    return waits.findLast((wait) => wait !== undefined)
  }

  /** Lets out the rest of a block, as it was judged. */
  async #finish(block: Block, rest: string): Promise<void> {
    if (block.isEnded && rest !== '') {
      await this.#finish(this.#begin(block.kind), rest)
      return
    }
    block.held = rest
    await this.#send(block, rest.length)
    await this.#end(block)
  }

  /** Lets out so much of what is held. */
  #send(block: Block, count: number): Wait {
    if (count <= 0) return undefined
    const { kind, out, held } = block
    const text = held.slice(0, count)
    block.held = held.slice(count)
    out.push(text)
    if (out.length > 1) {
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
    if (block.out.length === 0 || block.isEnded) return undefined
    block.isEnded = true
    return this.#emit({ type: `${block.kind}-end`, id: block.id })
  }
}

/** The next block of the model's; what nobody has seen need not be matched. */
function takeNext(streamed: Block[], kind: Kind): Block | undefined {
  let next = streamed.shift()
  while (next !== undefined && next.out.length === 0 && next.kind !== kind) {
    next = streamed.shift()
  }
  return next
}
