import { type Contributed, freezeDeep } from '../../engine/index.ts'
import type { BoundTool } from '../tool-definition.ts'
import type { MergeDiagnostic } from './merge-diagnostic.ts'
import type { ToolBundle } from './tool-bundle.ts'

/** A tool, and who has it. */
export interface OwnedTool extends BoundTool {
  readonly owner: string
}

/** Either all tools, or, if two have one name, none of them. */
export type MergedTools =
  | {
      readonly type: 'merged'
      readonly tools: readonly OwnedTool[]
      readonly diagnostics: readonly []
    }
  | {
      readonly type: 'collision'
      readonly collisions: readonly ToolCollision[]
      readonly diagnostics: readonly MergeDiagnostic<'tools.collision'>[]
    }

/** Two that want the same tool name; the owner came first. */
export interface ToolCollision {
  readonly tool: string
  readonly owner: string
  readonly hook: string
}

/** Who has which tool already; nobody can take it over. */
export interface TakenTool {
  readonly name: string
  readonly owner: string
}

/** Gives every tool its one owner. */
export function mergeTools(
  contributed: readonly Contributed<ToolBundle>[],
  taken: readonly TakenTool[] = [],
): MergedTools {
  const owners = new Map(taken.map(({ name, owner }) => [name, owner]))
  const tools: OwnedTool[] = []
  const collisions: ToolCollision[] = []
  for (const { by, value } of contributed) {
    for (const tool of value.tools) {
      const owner = owners.get(tool.name)
      if (owner !== undefined) {
        collisions.push({ tool: tool.name, owner, hook: by })
        continue
      }
      owners.set(tool.name, by)
      tools.push(freezeDeep({ ...tool, owner: by }))
    }
  }
  if (collisions.length === 0) return { type: 'merged', tools, diagnostics: [] }
  const diagnostics = collisions.map(diagnoseCollision)
  return { type: 'collision', collisions, diagnostics }
}

function diagnoseCollision({
  tool,
  owner,
  hook,
}: ToolCollision): MergeDiagnostic<'tools.collision'> {
  return {
    code: 'tools.collision',
    hook,
    message: `Hook "${hook}" brings a tool "${tool}", which "${owner}" already has; rename one.`,
  }
}
