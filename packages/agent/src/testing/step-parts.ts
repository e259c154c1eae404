import { countCodePoints, truncate } from 'hookline'
import type { ModelContent, TextEvent } from 'hookline/lifecycle'

interface Cuts {
  readonly chunks: number | undefined
  /** After how many characters the stream breaks off. */
  readonly cutAfter: number | undefined
}

/** How content is streamed: its texts, bracketed and in pieces. */
export function partsOf(
  content: ModelContent,
  { chunks, cutAfter = Infinity }: Cuts,
): readonly TextEvent[] {
  const parts: TextEvent[] = []
  const add = (part: TextEvent) => void parts.push(Object.freeze(part))
  let left = cutAfter
  for (const [index, block] of content.entries()) {
    const { type } = block
    if (type !== 'text' && type !== 'reasoning') continue
    if (left <= 0) return parts
    const id = `${type}-${index + 1}`
    add({ type: `${type}-start`, id })
    for (const piece of piecesOf(block.text, chunks)) {
      if (left <= 0) return parts
      const { text } = truncate(piece, left)
      left -= countCodePoints(text)
      add({ type: `${type}-delta`, id, text })
      if (text !== piece) return parts
    }
    add({ type: `${type}-end`, id })
  }
  return parts
}

function piecesOf(text: string, chunks: number | undefined): string[] {
  if (chunks === undefined) return text.match(/\S+\s*|\s+/g) ?? []
  const points = Array.from(text)
  const count = Math.min(chunks, points.length)
  const at = (piece: number) => Math.floor((points.length * piece) / count)
  return Array.from({ length: count }, (_, piece) =>
    points.slice(at(piece), at(piece + 1)).join(''),
  )
}
