import { truncate } from 'hookline'

/** Words of somebody else for a model: marked, bounded, unable to end the mark. */
export function quoted(mark: string, text: string, maxPoints: number): string {
  const ending = new RegExp(`<(?=\\s*/?\\s*${mark}\\b)`, 'gi')
  const contained = truncate(text, maxPoints).text.replace(ending, '&lt;')
  return `<${mark}>\n${contained}\n</${mark}>`
}
