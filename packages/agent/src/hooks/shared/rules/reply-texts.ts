import type { ModelContent } from 'hookline/lifecycle'
import { cutOut, type Found } from './found.ts'

type Block = ModelContent[number]

/** What of a reply people may read: its words, and what was thought aloud. */
export function textsOfReply(content: ModelContent): readonly string[] {
  return content.flatMap((block) => {
    if (block.type === 'text' || block.type === 'reasoning') return [block.text]
    return block.type === 'file' && block.name ? [block.name] : []
  })
}

/**
 * A reply without what was found; the same one where nothing was. Thoughts go
 * as a whole: providers sign them, and take no others back.
 */
export function redactReply<B extends Block>(
  content: readonly B[],
  find: (text: string) => readonly Found[],
  replacement: string,
): readonly B[] {
  let isChanged = false
  const left = content.flatMap((block): B[] => {
    if (block.type !== 'text' && block.type !== 'reasoning') return [block]
    const found = find(block.text)
    if (found.length === 0) return [block]
    isChanged = true
    if (block.type === 'reasoning') return []
    const { providerData: _, ...rest } = block
    // Still a block of the same type: only its words are others.
    return [{ ...rest, text: cutOut(block.text, found, replacement) } as B]
  })
  return isChanged ? left : content
}
