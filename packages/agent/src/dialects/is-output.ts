import type { JsonObject } from 'hookline/lifecycle'

const outputKeys = [
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
