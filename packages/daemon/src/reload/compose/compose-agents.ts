import type { AgentConfig } from 'hookline/lifecycle'
import { noModel } from '../default-model.ts'
import type { WrittenAgent } from '../sections/agents-section.ts'
import type { WrittenBy } from './written.ts'

const mainAgent: WrittenAgent = {
  name: 'main',
  description: 'Does what it is asked to, in the folder it is started in.',
  instructions:
    'You help with the work in the current folder. Look before you change something, do what was asked and no more, and say what you did.',
  plugins: { memory: {} },
}

/** All agents; of two with one name, the one whose file counts more. */
export function composeAgents(
  written: readonly WrittenBy<readonly WrittenAgent[]>[],
  defaultModel: string | undefined,
): readonly AgentConfig[] {
  const byName = new Map<string, WrittenAgent>()
  for (const agent of written.flatMap(({ value }) => value)) {
    if (!byName.has(agent.name)) byName.set(agent.name, agent)
  }
  const agents = byName.size === 0 ? [mainAgent] : [...byName.values()]
  return agents.map((agent) => ({
    instructions: '',
    model: defaultModel ?? noModel,
    ...agent,
  }))
}
