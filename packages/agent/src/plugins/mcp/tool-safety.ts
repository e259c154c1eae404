import type { SafetyClass } from 'hookline/lifecycle'
import type { McpServerConfig } from './server-config.ts'
import type { ToolAnnotations } from './tool-listing.ts'

/** From the harmless to the worst. */
const classes: readonly SafetyClass[] = [
  'read_only',
  'mutating',
  'network',
  'destructive',
]

/**
 * The class that the operator has set for the server. What the server says
 * counts only where it is trusted in that, and only if it is less.
 */
export function safetyOf(
  config: McpServerConfig,
  annotations: ToolAnnotations,
): SafetyClass {
  const given = config.safety ?? ('url' in config ? 'network' : 'destructive')
  if (config.trustAnnotations !== true) return given
  const said = classSaid(annotations)
  return classes.indexOf(said) < classes.indexOf(given) ? said : given
}

function classSaid(annotations: ToolAnnotations): SafetyClass {
  const { readOnlyHint, destructiveHint, openWorldHint } = annotations
  // Unless it says otherwise, a tool may reach the world outside.
  const isOpen = openWorldHint !== false
  if (readOnlyHint === true) return isOpen ? 'network' : 'read_only'
  if (destructiveHint === false) return isOpen ? 'network' : 'mutating'
  return 'destructive'
}

/** What the server says of a tool, for whoever chooses or approves it. */
export function hintsOf(annotations: ToolAnnotations): string {
  const { readOnlyHint, destructiveHint, idempotentHint, openWorldHint } =
    annotations
  const said = [
    readOnlyHint === true && 'only reads',
    destructiveHint === true && readOnlyHint !== true && 'may destroy',
    idempotentHint === true && 'may be repeated',
    openWorldHint === true && 'reaches the world outside',
  ].filter((hint) => hint !== false)
  return said.length === 0 ? '' : `(The server says: ${said.join(', ')}.)`
}
