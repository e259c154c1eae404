import type {
  AgentConfig,
  MergedSection,
  SystemMessage,
} from 'hookline/lifecycle'

/** What the agent itself brings to its prompt. */
export type PromptBase = Pick<AgentConfig, 'instructions' | 'fragments'>

/** The system prompt: what the agent itself brings, then hooks' sections. */
export function compileSystem(
  { instructions, fragments = [] }: PromptBase,
  sections: readonly MergedSection[],
): SystemMessage | undefined {
  let text = instructions.trim()
  const add = (part: string) => {
    if (part !== '') text += text === '' ? part : `\n\n${part}`
  }
  for (const { content } of fragments) add(content)
  for (const section of sections) add(renderSection(section))
  if (text === '') return undefined
  const block = Object.freeze({ type: 'text' as const, text })
  return Object.freeze({ role: 'system', content: Object.freeze([block]) })
}

function renderSection({ title, content }: MergedSection): string {
  return title === undefined ? content : `## ${title}\n\n${content}`
}
