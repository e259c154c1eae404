import type { ConfigLayer } from '@hookline/agent/config'

/**
 * Who may say what moves credentials or changes who is trusted: never a file
 * that comes with a project.
 */
export const trustedLayers: readonly ConfigLayer[] = [
  'managed',
  'user',
  'command-line',
]
