import type { AgentConfig } from 'hookline/lifecycle'
import type { LiveAgent } from '../loop/parts.ts'
import { createToolSet } from '../loop/tool-set.ts'
import { AgentError } from '../ports/agent-error.ts'
import type { AgentsContext } from './agents-context.ts'

/**
 * What can be had of an agent that is not here: nothing but its name. It can
 * call no model and no tool; what was begun comes to an end with it.
 */
export function standInFor(
  name: string,
  parents: readonly string[],
  { cores, policy }: Pick<AgentsContext, 'cores' | 'policy'>,
): Omit<LiveAgent, 'table'> & { readonly ownHooks: readonly [] } {
  const core = cores.get('loop')
  if (core === undefined) {
    const message = `There is no agent "${name}", and no loop that could end what it has left.`
    throw new AgentError('unknown-agent', message)
  }
  const config: AgentConfig = { name, model: 'none', instructions: '' }
  return {
    config: Object.freeze(config),
    parents,
    core,
    policy,
    tools: createToolSet([]),
    toolLists: [[]],
    subagentLists: [[]],
    ownHooks: [],
  }
}
