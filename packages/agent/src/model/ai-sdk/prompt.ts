import type { Message, TextBlock, ToolMessage } from 'hookline/lifecycle'
import {
  isBlank,
  mediaParts,
  modelParts,
  type PromptPart,
  type PromptRules,
} from './prompt-parts.ts'
import { isMedium, resultPart, withoutMedia } from './prompt-results.ts'
import { optionsOf, type ProviderMetadata } from './provider-data.ts'

export type PromptMessage = SystemPrompt | TurnPrompt

interface SystemPrompt {
  readonly role: 'system'
  readonly content: string
  readonly providerOptions?: ProviderMetadata
}

interface TurnPrompt {
  readonly role: 'user' | 'assistant' | 'tool'
  readonly content: readonly PromptPart[]
}

/**
 * A conversation as a prompt that any provider takes: system text first,
 * neighbours of one role as one message, nothing empty.
 */
export function promptOf(
  messages: readonly Message[],
  rules: PromptRules,
): readonly PromptMessage[] {
  const system = messages.flatMap((message) =>
    message.role === 'system' ? message.content : [],
  )
  const turns: TurnPrompt[] = []
  for (const turn of messages.flatMap((message) => turnsOf(message, rules))) {
    const last = turns.at(-1)
    if (turn.content.length === 0) continue
    if (last?.role !== turn.role) turns.push(turn)
    else turns[turns.length - 1] = joined(last, turn)
  }
  return [...systemPrompts(system), ...turns]
}

function joined(one: TurnPrompt, other: TurnPrompt): TurnPrompt {
  return { role: one.role, content: [...one.content, ...other.content] }
}

/** One text, but for blocks with options of their own: those hold up to there. */
function systemPrompts(blocks: readonly TextBlock[]): readonly SystemPrompt[] {
  const prompts: SystemPrompt[] = []
  let texts: string[] = []
  for (const block of blocks.filter((block) => !isBlank(block))) {
    texts.push(block.text)
    const options = optionsOf(block)
    if (options.providerOptions === undefined) continue
    prompts.push({ role: 'system', content: texts.join('\n\n'), ...options })
    texts = []
  }
  if (texts.length === 0) return prompts
  return [...prompts, { role: 'system', content: texts.join('\n\n') }]
}

function turnsOf(message: Message, rules: PromptRules): readonly TurnPrompt[] {
  switch (message.role) {
    case 'system':
      return []
    case 'user':
      return [{ role: 'user', content: mediaParts(message.content, rules) }]
    case 'assistant':
      return [
        { role: 'assistant', content: modelParts(message.content, rules) },
      ]
    case 'tool':
      return toolTurns(message, rules)
  }
}

function toolTurns(
  { content }: ToolMessage,
  rules: PromptRules,
): readonly TurnPrompt[] {
  const blocks = rules.mediaInToolResults ? content : content.map(withoutMedia)
  const results = blocks.map((block) => resultPart(block, rules.version))
  const media = rules.mediaInToolResults
    ? []
    : content.flatMap((block) => block.content.filter(isMedium))
  return [
    { role: 'tool', content: results },
    { role: 'user', content: mediaParts(media, rules) },
  ]
}
