import type { ConfiguredHook } from '@hookline/agent/config'
import { isUse } from '@hookline/agent/handlers'

/** Where what a hook is given can go. Whoever lets it run should know. */
export function reachOf(
  kind: string,
  definition: ConfiguredHook['definition'] | undefined,
): string {
  const handler =
    definition === undefined || isUse(definition)
      ? undefined
      : definition.handler
  if (handler?.type === 'http') return `the server ${originOf(handler.url)}`
  if (handler?.type === 'prompt') return `the model ${handler.model}`
  if (handler?.type === 'command' && handler.sandbox !== undefined) {
    const { network = false } = handler.sandbox
    return network ? 'any network, in a sandbox' : 'nothing, in a sandbox'
  }
  return ofKind[kind] ?? 'all that the daemon can'
}

/** Of what is written by others, or in code, only that much is known. */
const ofKind: Readonly<Record<string, string>> = {
  command: 'any network and file that its user can',
  module: 'any network and file that its user can',
  dialect: 'any network and file that its user can',
  http: 'a server',
  prompt: 'a model',
  builtin: 'nothing outside of the daemon',
}

function originOf(url: string): string {
  return URL.canParse(url) ? new URL(url).origin : url
}
