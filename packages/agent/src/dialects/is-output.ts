import type { JsonObject } from 'hookline/lifecycle'

/** What an answer of Claude Code, and of those like it, is made of. */
export const outputKeys: readonly string[] = [
  'continue',
  'stopReason',
  'suppressOutput',
  'systemMessage',
  'decision',
  'hookSpecificOutput',
  'async',
]

/** Whether a document is for the product, rather than something it prints. */
export function isOutput(document: JsonObject): boolean {
  return outputKeys.some((key) => Object.hasOwn(document, key))
}
