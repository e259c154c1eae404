import type { Grant } from 'hookline/lifecycle'
import type { McpServerConfig } from './server-config.ts'

/**
 * Why a call may not go to a server under its grant. A server is one process
 * for all calls, so that no single call can be confined: either the grant
 * allows all that the server could do, or the operator answers for it.
 */
export function problemOfGrant(
  config: McpServerConfig,
  { network, sandbox }: Grant,
): string | undefined {
  if (config.isTrusted === true) return undefined
  if ('url' in config) {
    const { hostname } = new URL(config.url)
    const isReachable =
      network === 'all' ||
      (network !== 'none' && network.hosts.includes(hostname))
    if (isReachable) return undefined
    return `The call has no network to "${hostname}". Grant it to this tool by a rule of the policy, or set "isTrusted" for the server.`
  }
  if (sandbox === 'none' && network === 'all') return undefined
  return 'The server runs with all rights of this program, and the call is granted less. Grant it sandbox "none" and network "all" by a rule of the policy, or set "isTrusted" for the server.'
}
