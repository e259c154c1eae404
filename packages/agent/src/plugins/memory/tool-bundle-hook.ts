import { defineHook, type Hook, proceed } from 'hookline'
import { toolBundle, turnPreToolMaterialization } from 'hookline/lifecycle'
import { ownerOf } from './agent-memories.ts'
import { policyIn } from './memory-policy.ts'
import { type MemoryToolsOptions, memoryTools } from './memory-tools.ts'

/** Brings the tools, unless policy forbids them or the model cannot call any. */
export function toolBundleHook(options: MemoryToolsOptions): Hook {
  const { agents } = options
  return defineHook({
    name: 'memory:tools',
    on: turnPreToolMaterialization,
    handler: { version: '1' },
    match: (_, scope) => agents.has(scope),
    execution: 'blocking',
    onFailure: 'open',
    capabilities: [toolBundle.kind],
    run(input, { scope, contribute, diagnose }) {
      const { policies, abilities, model, toolNames } = input
      const policy = policyIn(policies)
      // The one phase that a turn passes again when it is taken up elsewhere.
      if (policy !== undefined) agents.noteTurn(scope, policy)
      if (policy === undefined || !abilities.tools) {
        const why = policy === undefined ? 'no policy' : 'no tool calls'
        diagnose('memory.tools_withheld', why)
        return proceed
      }
      const turn = { policy, model, owner: ownerOf(scope) }
      const tools = memoryTools(options, turn)
      const taken = tools.filter(({ name }) => toolNames.includes(name))
      if (taken.length > 0) diagnose('memory.tools_taken', String(taken.length))
      const free = tools.filter((tool) => !taken.includes(tool))
      if (free.length > 0) contribute(toolBundle({ tools: free }))
      return proceed
    },
  })
}
