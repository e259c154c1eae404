import type { Hook, InputOf, Outcome, Point, Table } from 'hookline'
import { type AgentConfig, agentBuild } from 'hookline/lifecycle'
import { AgentError } from '../ports/agent-error.ts'
import type { Identity } from './agent-tables.ts'
import type { AgentOptions, AgentsContext } from './agents-context.ts'
import { checkConfig } from './check-config.ts'
import { inheritLists, inheritPolicy, inheritTools } from './inherit.ts'
import { RegisteredAgent } from './registered-agent.ts'

/** What an agent is made from. */
export interface AgentPlan {
  readonly config: AgentConfig
  readonly options: AgentOptions
  readonly ownHooks: readonly Hook[]
  readonly parent: RegisteredAgent | undefined
}

interface Builder {
  compile(identity: Identity): Table
  ask<P extends Point>(
    point: P,
    input: InputOf<P>,
    identity: Identity & { readonly table: Table },
  ): Promise<Outcome<P>>
}

/** Makes an agent that nobody sees yet: what plugins and hooks make of it. */
export async function buildAgent(
  { config, options, ownHooks, parent }: AgentPlan,
  context: AgentsContext,
  builder: Builder,
): Promise<RegisteredAgent> {
  const { name } = config
  const { tools = [], policy } = options
  const { cores } = context
  const core = cores.get(config.core ?? 'loop')
  if (core === undefined) {
    const known = [...cores.keys()].join(', ')
    const message = `Agent "${name}" wants the core "${config.core}"; there are: ${known}.`
    throw new AgentError('unknown-core', message)
  }
  const parents = parent ? [...parent.parents, parent.name] : []
  const identity = { name, core, parents, ownHooks }
  const table = builder.compile(identity)
  const based = await context.plugins.build(config)
  const about = { ...identity, table }
  const built = await builder.ask(agentBuild, { config: based }, about)
  const checked = checkConfig(built.value.config, config)
  const origin = { given: config, based }
  const restated = await context.plugins.restate(checked, origin)
  const final = checkConfig(restated, config)
  await context.prepareTools(tools)
  const inherited = inheritTools(final, tools, context, parent)
  return new RegisteredAgent(
    {
      config: final,
      parents,
      core,
      policy: inheritPolicy(policy, context, parent),
      tools: context.plugins.scope(inherited, final),
      toolLists: inheritLists(final.tools, parent?.toolLists),
      subagentLists: inheritLists(final.subagents, parent?.subagentLists),
      ownHooks,
    },
    table,
  )
}
