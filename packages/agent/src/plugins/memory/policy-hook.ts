import { defineHook, type Hook, proceed } from 'hookline'
import {
  type AgentScope,
  policy as policyKind,
  type TurnPolicyInput,
  turnPrePolicy,
} from 'hookline/lifecycle'
import type { AnyContext } from '../../index.ts'
import type { AgentMemories } from './agent-memories.ts'
import { type MemoryPolicy, memoryDomain, strictest } from './memory-policy.ts'
import { textOf } from './plain-text.ts'
import { policyByRules } from './policy-rules.ts'

/** What a host knows of a turn, such as a button that its user has pressed. */
export type OverridePolicy = (
  input: TurnPolicyInput,
  scope: AgentScope,
) => MemoryPolicy | undefined

/** Says what memory may be used for in a turn; throws if it cannot. */
export type ClassifyTurn = (
  text: string,
  context: AnyContext,
) => Promise<MemoryPolicy>

export interface PolicyHookOptions {
  readonly agents: AgentMemories
  readonly override?: OverridePolicy | undefined
  /** Asked beside the rules; it can only forbid. */
  readonly classify?: ClassifyTurn | undefined
}

/**
 * Decides what memory may be used for. What is said in the config, or by the
 * host, holds without a look at the turn.
 */
export function policyHook({
  agents,
  override,
  classify,
}: PolicyHookOptions): Hook {
  return defineHook({
    name: 'memory:policy',
    on: turnPrePolicy,
    handler: { version: '1' },
    match: (_, scope) => agents.has(scope),
    capabilities: [policyKind.kind],
    execution: 'blocking',
    onFailure: 'open',
    async run(input, context) {
      const { scope, diagnose, contribute } = context
      const given = agents.fixedPolicy(scope) ?? override?.(input, scope)
      const outer = agents.outerPolicy(scope)
      const decided =
        given ?? (await classifyTurn(textOf(input.content), context, classify))
      const { read, write } = strictest([decided, outer])
      contribute(policyKind({ domain: memoryDomain, key: 'read', value: read }))
      contribute(
        policyKind({ domain: memoryDomain, key: 'write', value: write }),
      )
      const source = given ? 'given' : classify ? 'model' : 'rules'
      diagnose('memory.policy', `read ${read}, write ${write}, by ${source}`)
      return proceed
    },
  })
}

async function classifyTurn(
  text: string,
  context: AnyContext,
  classify: ClassifyTurn | undefined,
): Promise<MemoryPolicy> {
  const ruled = policyByRules(text)
  if (classify === undefined || !(ruled.read || ruled.write)) return ruled
  return strictest([ruled, await classify(text, context)])
}
