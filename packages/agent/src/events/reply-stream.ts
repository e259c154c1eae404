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
  /** The end of what has gone out, for those who look at the text. */
  before: string
  /** So long must the held text be before it is looked at again. */
  lookAt: number
  isEnded: boolean
}

// What makes sense of a text is rarely further away.
const beforeChars = 512
const lookAgain = 1.25

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
    const told = this.#look(block)
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
      before: '',
      lookAt: 0,
      isEnded: false,
    }
    this.#blocks.push(block)
    return block
  }

  /** The model has ended a block; what is held back of it may still come. */
  #complete(block: Block): Wait {
    block.source = undefined
    block.lookAt = 0
    const told = this.#isScanned ? this.#look(block) : undefined
    const ended = block.held === '' ? this.#end(block) : undefined
    return told === undefined ? ended : told.then(() => ended)
  }

  get #isScanned(): boolean {
    return this.#holding.scans.length > 0
  }

  /**
   * Lets out what may go out of a block by now. A text that waits is looked at
   * the more rarely the longer it is, so that the work does not grow with the
   * square of it.
   */
  #look(block: Block): Wait {
    const { before, held, source } = block
    if (held.length < block.lookAt) return undefined
    if (this.#isBehindHeld(block)) return undefined
    const isWhole = source === undefined
    const count = releasable({ before, held, isWhole }, this.#holding)
    const told = this.#send(block, count)
    if (this.#isScanned) block.lookAt = block.held.length * lookAgain
    return told
  }

  /**
   * What stands before it waits, and must go out first. What is whole is freed
   * by the text behind it, unless somebody looks at texts.
   */
  #isBehindHeld(block: Block): boolean {
    const earlier = this.#blocks.slice(0, this.#blocks.indexOf(block))
    return earlier.some(({ held, source, kind }) => {
      const mayGoOn = source !== undefined && kind === block.kind
      return held !== '' && (this.#isScanned || mayGoOn)
    })
  }

  /** What is behind newer text need not be held back, and goes out before it. */
  #freeTails(): Wait {
    // Whoever looks at texts has said at the end of each what may go out.
    if (this.#holding.isAll || this.#isScanned) return undefined
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
      const tail = { isAll: false, isSentence: false, window, scans: [] }
      const whole = { before: '', held, isWhole: true }
      const until = isFree ? held.length : releasable(whole, tail)
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
    block.before = (block.before + text).slice(-beforeChars)
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
