import type { MergedEntry, TextBlock } from 'hookline/lifecycle'
import { marked } from './marked.ts'

/** Context as the model is shown it. */
export function renderContext(entry: MergedEntry): TextBlock {
  const { domain, id, hook: from, content } = entry
  return marked('context', { domain, id, from }, content)
}
