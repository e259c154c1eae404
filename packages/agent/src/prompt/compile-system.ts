import type { MergedSection, SystemMessage } from 'hookline/lifecycle'

/** The system prompt: what the agent itself brings, then hooks' sections. */
export function compileSystem(
  instructions: string,
  sections: readonly MergedSection[],
): SystemMessage | undefined {
  let text = instructions.trim()
  for (const section of sections) {
    const part = renderSection(section)
    if (part !== '') text += text === '' ? part : `\n\n${part}`
  }
  if (text === '') return undefined
  const block = Object.freeze({ type: 'text' as const, text })
  return Object.freeze({ role: 'system', content: Object.freeze([block]) })
}

function renderSection({ title, content }: MergedSection): string {
  return title === undefined ? content : `## ${title}\n\n${content}`
}
