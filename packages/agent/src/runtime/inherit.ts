import type { Hook } from 'hookline'
import type { AgentConfig, BoundTool } from 'hookline/lifecycle'
import type { ToolSet } from '../loop/parts.ts'
import { createToolSet, joinTools, restrictTools } from '../loop/tool-set.ts'
import { narrowPolicy } from '../policy/narrow-policy.ts'
import type { PolicyPort } from '../ports/policy.ts'
import type { RegisteredAgent } from './registered-agent.ts'

/** What agents have that have no parent to inherit from. */
interface Shared {
  readonly tools: ToolSet
  readonly policy: PolicyPort
}

/** A sub-agent has no tool that its parent does not have. */
export function inheritTools(
  { tools: allowed }: AgentConfig,
  own: readonly BoundTool[],
  shared: Shared,
  parent: RegisteredAgent | undefined,
): ToolSet {
  if (parent !== undefined) return restrictTools(parent.tools, allowed)
  const owned = own.map((tool) => ({ tool, owner: 'agent' }))
  return restrictTools(joinTools(shared.tools, createToolSet(owned)), allowed)
}

/** Nor is anything granted to it that would not be granted to its parent. */
export function inheritPolicy(
  own: PolicyPort | undefined,
  shared: Shared,
  parent: RegisteredAgent | undefined,
): PolicyPort {
  if (parent === undefined) return own ?? shared.policy
  if (own === undefined || own === parent.policy) return parent.policy
  return narrowPolicy(parent.policy, own)
}

/** What its own list and all above it allow. Absent: anything. */
export function inheritLists(
  own: readonly string[] | undefined,
  above: readonly (readonly string[])[] = [],
): readonly (readonly string[])[] {
  return own === undefined ? above : [...above, own]
}

/** Its own hooks come after those of whom it works for, and none comes twice. */
export function inheritHooks(
  own: readonly Hook[],
  above: readonly Hook[],
): readonly Hook[] {
  return [...above.filter((hook) => !own.includes(hook)), ...own]
}

/** An agent made for a task is told, too, that it has no more than its maker. */
export function inheritScope(
  config: AgentConfig,
  { tools, skills, mcpServers, subagents }: AgentConfig,
): AgentConfig {
  return {
    ...(tools && { tools }),
    ...(skills && { skills }),
    ...(mcpServers && { mcpServers }),
    ...(subagents && { subagents }),
    ...config,
  }
}

/** A registered agent that works for another: with no more than both have. */
export function narrowAgent(
  child: RegisteredAgent,
  parent: RegisteredAgent,
  shared: Shared,
) {
  const { config, core } = child
  return {
    config,
    core,
    ownHooks: inheritHooks(child.ownHooks, parent.ownHooks),
    parents: [...parent.parents, parent.name],
    policy: inheritPolicy(child.policy, shared, parent),
    tools: restrictTools(parent.tools, [...child.tools.byName.keys()]),
    toolLists: inheritLists(config.tools, parent.toolLists),
    subagentLists: inheritLists(config.subagents, parent.subagentLists),
  }
}
