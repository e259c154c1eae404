import { compileCondition, freezeDeep } from 'hookline'
import type { BoundTool, ToolDeclaration } from 'hookline/lifecycle'
import { AgentError } from '../ports/agent-error.ts'
import { definitionHash } from '../tools/definition-hash.ts'
import type { OwnedTool, ToolSet } from './parts.ts'

/** Tools and who has them; two with one name are an error that names both. */
export function createToolSet(
  owned: Iterable<{ readonly tool: BoundTool; readonly owner: string }>,
): ToolSet {
  const byName = new Map<string, OwnedTool>()
  for (const { tool, owner } of owned) {
    const taken = byName.get(tool.name)
    if (taken !== undefined) {
      const who =
        owner === taken.owner
          ? `"${owner}" has two tools`
          : `"${owner}" and "${taken.owner}" both have a tool`
      const message = `${who} "${tool.name}"; rename one.`
      throw new AgentError('duplicate-tool', message)
    }
    const hash = definitionHash(tool)
    byName.set(tool.name, { tool, owner, definitionHash: hash })
  }
  const declarations = [...byName.values()].map(({ tool }) => declare(tool))
  return { byName, declarations: Object.freeze(declarations) }
}

/** The tools whose names a list allows. Absent: all. Empty: none. */
export function restrictTools(
  set: ToolSet,
  allowed: readonly string[] | undefined,
): ToolSet {
  if (allowed === undefined) return set
  const isAllowed = compileCondition(allowed)
  return createToolSet(
    [...set.byName.values()].filter(({ tool }) => isAllowed(tool.name)),
  )
}

export function joinTools(first: ToolSet, second: ToolSet): ToolSet {
  if (second.byName.size === 0) return first
  return createToolSet([...first.byName.values(), ...second.byName.values()])
}

function declare({ name, description, inputSchema }: BoundTool) {
  const declaration: ToolDeclaration = { name, description, inputSchema }
  return freezeDeep(declaration)
}
