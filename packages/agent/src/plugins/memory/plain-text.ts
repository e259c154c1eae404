import type { Message, UserContent } from 'hookline/lifecycle'

/** The words of what a user said. */
export function textOf(content: UserContent): string {
  return content
    .flatMap((block) => (block.type === 'text' ? [block.text] : []))
    .join('\n')
}

/** What users said before, the latest first. */
export function earlierTexts(history: readonly Message[]): readonly string[] {
  return history
    .flatMap((one) => (one.role === 'user' ? [textOf(one.content)] : []))
    .filter((text) => text !== '')
    .reverse()
}
