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
  const { canAsk } = parent
  return narrowPolicy(parent.policy, own ?? parent.policy, { canAsk })
}

/** What of later tools it may have, by all lists above it. Absent: any. */
export function inheritToolLists(
  { tools }: AgentConfig,
  parent: RegisteredAgent | undefined,
): readonly (readonly string[])[] {
  return [...(parent?.toolLists ?? []), ...(tools === undefined ? [] : [tools])]
}
