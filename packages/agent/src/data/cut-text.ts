import { truncate } from 'hookline'

/** Says so where it cuts: what is left may end in half of a word. */
export function cutText(given: string, maxPoints: number): string {
  const { text, cut } = truncate(given, maxPoints)
  return cut ? `${text}…` : text
}
