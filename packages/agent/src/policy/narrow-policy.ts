import type { AgentScope, Grant } from 'hookline/lifecycle'
import type { PolicyPort } from '../ports/policy.ts'
import { makeGrant, meetGrants, readGrant } from './grants.ts'
import { anchorRoots } from './roots.ts'

/**
 * The policy of a sub-agent: what both its parent's and its own allow. Both
 * judge the call in the scope of the sub-agent.
 */
export function narrowPolicy(
  parent: PolicyPort,
  child: PolicyPort,
): PolicyPort {
  const join = (above: Grant, own: Grant, { cwd }: AgentScope): Grant =>
    meetGrants(anchor(above, cwd), anchor(own, cwd))
  return {
    grant(call, scope) {
      const above = parent.grant(call, scope)
      if (above instanceof Promise) {
        // One after the other: nothing is left running if one of them fails.
        return above.then(async (grant) =>
          join(grant, await child.grant(call, scope), scope),
        )
      }
      const own = child.grant(call, scope)
      return own instanceof Promise
        ? own.then((grant) => join(above, grant, scope))
        : join(above, own, scope)
    },
    needsGate: (call, scope) =>
      parent.needsGate(call, scope) || child.needsGate(call, scope),
  }
}

/** With absolute roots: `.` and `/repo` could not be compared otherwise. */
function anchor(grant: Grant, cwd: string | undefined): Grant {
  const known = readGrant(grant)
  if (!cwd?.startsWith('/')) return known
  if (known.roots.every((root) => root.startsWith('/'))) return known
  return makeGrant(known, { ...known, roots: anchorRoots(known.roots, cwd) })
}
