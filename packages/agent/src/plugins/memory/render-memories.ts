import { truncate } from 'hookline'
import type { Memory } from '../../index.ts'

const maxTextPoints = 600

/** Memories as a model is shown them: one line each, whatever they hold. */
export function renderMemories(memories: readonly Memory[]): string {
  return memories.map(renderMemory).join('\n')
}

function renderMemory({ name, text }: Memory): string {
  const line = text.replace(/\s+/gu, ' ').trim()
  const { text: shown, cut } = truncate(line, maxTextPoints)
  return `- [${name.replace(/\s+/gu, ' ')}] ${shown}${cut ? '…' : ''}`
}

/** What stands for a memory among the sources of context. */
export function sourceOf({ user, name }: Memory): string {
  return `memory:${user === null ? 'agent' : 'user'}/${name}`
}
