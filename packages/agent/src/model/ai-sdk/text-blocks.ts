import type { ReasoningBlock, TextBlock, TextEvent } from 'hookline/lifecycle'
import {
  dataOf,
  mergeMetadata,
  type ProviderMetadata,
} from './provider-data.ts'
import type { TextPart } from './stream-part.ts'

type Kind = 'text' | 'reasoning'

/** One block of text while it is being written. */
export interface TextDraft {
  readonly kind: Kind
  /** Of no other block, whatever the provider calls it. */
  readonly id: string
  text: string
  data: ProviderMetadata | undefined
}

/**
 * Keeps the brackets of text well formed, whatever a provider sends: every
 * block starts once and ends once, and its deltas come between.
 */
export class TextBlocks {
  readonly #open = new Map<string, TextDraft>()
  readonly #onBlock: (draft: TextDraft) => void
  readonly #ids = createIds()

  constructor(onBlock: (draft: TextDraft) => void) {
    this.#onBlock = onBlock
  }

  /** Takes a part in; what it returns is to be told, in that order. */
  take(part: TextPart): readonly TextEvent[] {
    const kind = part.type.startsWith('text') ? 'text' : 'reasoning'
    const key = `${kind}:${part.id}`
    switch (part.type) {
      case 'text-start':
      case 'reasoning-start':
        return [...this.#end(key), this.#start(key, kind, part)]
      case 'text-delta':
      case 'reasoning-delta':
        return this.#append(key, kind, part)
      case 'text-end':
      case 'reasoning-end':
        this.#learn(key, part)
        return this.#end(key)
    }
  }

  /** Ends whatever is open. */
  close(): readonly TextEvent[] {
    return [...this.#open.keys()].flatMap((key) => this.#end(key))
  }

  #start(key: string, kind: Kind, part: TextPart): TextEvent {
    const draft: TextDraft = {
      kind,
      id: this.#ids(),
      text: '',
      data: part.providerMetadata,
    }
    this.#open.set(key, draft)
    this.#onBlock(draft)
    return { type: `${kind}-start`, id: draft.id }
  }

  #append(
    key: string,
    kind: Kind,
    part: TextPart & { readonly delta: string },
  ): readonly TextEvent[] {
    const events = this.#open.has(key) ? [] : [this.#start(key, kind, part)]
    const draft = this.#learn(key, part)
    // A delta can carry a signature and no text.
    if (draft === undefined || part.delta === '') return events
    draft.text += part.delta
    const { id } = draft
    return [...events, { type: `${kind}-delta`, id, text: part.delta }]
  }

  #learn(key: string, part: TextPart): TextDraft | undefined {
    const draft = this.#open.get(key)
    if (draft === undefined || part.providerMetadata === undefined) return draft
    draft.data = mergeMetadata(draft.data, part.providerMetadata)
    return draft
  }

  #end(key: string): readonly TextEvent[] {
    const draft = this.#open.get(key)
    if (draft === undefined) return []
    this.#open.delete(key)
    return [{ type: `${draft.kind}-end`, id: draft.id }]
  }
}

/** The block as it is in a response; nothing, if it says nothing. */
export function textBlock({
  kind,
  text,
  data,
}: TextDraft): TextBlock | ReasoningBlock | undefined {
  if (kind === 'text' && text === '') return undefined
  if (text === '' && data === undefined) return undefined
  return { type: kind, text, ...dataOf(data) }
}

/** Ids of one call; with a part that no other call has, as those are told too. */
function createIds(): () => string {
  const call = crypto.randomUUID().slice(0, 8)
  let count = 0
  return () => `${call}-${count++}`
}
