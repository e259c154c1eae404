import type { AgentConfig } from 'hookline/lifecycle'
import type { Caller } from '../protocol/caller.ts'
import { ProtocolError } from '../protocol/errors.ts'
import type { Workspace } from '../reload/workspace.ts'
import type { OperationService } from '../service/service-parts.ts'
import { seesAll } from '../service/visible-hooks.ts'
import { plainData } from './plain-data.ts'

type AgentOperations = Pick<
  OperationService,
  'listAgents' | 'getAgent' | 'listSkills' | 'listMcpServers'
>

export function agentOperations(workspace: Workspace): AgentOperations {
  const { runtime } = workspace
  return {
    listAgents: () => ({ items: runtime.agents.map(listed) }),
    getAgent({ agent: name }, { caller }) {
      const config = configOf(workspace, name)
      return {
        ...listed(config),
        available: runtime
          .toolsOf(name)
          .map(({ inputSchema: _, ...tool }) => tool),
        config: configFor(workspace, caller, config),
      }
    },
    listSkills({ agent }) {
      if (agent !== undefined) configOf(workspace, agent)
      const { skills } = workspace
      if (skills === undefined) return { items: [], problems: [] }
      const problems = skills.problems().map(({ file, message }) => ({
        path: file,
        message,
      }))
      const items = skills.list(agent).map(({ name, description, folder }) => ({
        name,
        description,
        path: folder,
      }))
      return { items, problems }
    },
    listMcpServers() {
      const servers = workspace.mcp?.status() ?? []
      return {
        items: servers.map(({ server, state, reason, agents, calls }) => ({
          name: server,
          state,
          agents,
          calls,
          ...(reason !== undefined && { problem: reason }),
        })),
      }
    },
  }
}

/** What providers are told may be anything, and is for who runs the daemon. */
function configFor(
  { store }: Workspace,
  caller: Caller,
  { settings, ...config }: AgentConfig,
) {
  const { providerOptions, ...shown } = settings ?? {}
  const isWhole = providerOptions !== undefined && seesAll(caller)
  return plainData({
    ...config,
    ...(settings !== undefined && {
      settings: {
        ...shown,
        ...(isWhole && {
          providerOptions: store.redactor.data(providerOptions),
        }),
      },
    }),
  })
}

/** Throws where there is no such agent. */
function configOf({ runtime }: Workspace, name: string): AgentConfig {
  const config = runtime.agents.find((one) => one.name === name)
  if (config !== undefined) return config
  const known = runtime.agents.map((one) => one.name).join(', ') || 'none'
  const message = `There is no agent "${name}"; there are: ${known}.`
  throw new ProtocolError('not-found', message)
}

function listed(config: AgentConfig) {
  const { name, model, description, tools, subagents } = config
  return {
    name,
    model,
    ...(description !== undefined && { description }),
    ...(tools !== undefined && { tools: [...tools] }),
    ...(subagents !== undefined && { subagents: [...subagents] }),
  }
}
