import { defineHook, type Hook, proceed } from 'hookline'
import {
  type AgentScope,
  type BoundTool,
  notice,
  toolBundle,
  turnPreToolMaterialization,
} from 'hookline/lifecycle'
import { AgentError } from '../../index.ts'
import { type BindParts, bindTool } from './bind-tool.ts'
import { Unreachable } from './failures.ts'
import { plainLine } from './plain-text.ts'
import { resourceTools } from './resource-tools.ts'
import { TimeLimit } from './time-limit.ts'
import type { McpToolChange } from './tool-approval.ts'
import type { ListedTool } from './tool-listing.ts'
import { nameTools } from './tool-names.ts'

/** What a server brings to a turn. */
interface Brought {
  readonly tools: readonly BoundTool[]
  /** It has resources or prompts. */
  readonly hasMore: boolean
  readonly problems: readonly string[]
  readonly changes: readonly McpToolChange[]
  /** Why it brings nothing. */
  readonly absent?: string
}

export interface ToolsHookParts extends BindParts {
  /** How long a turn waits for the slowest server. */
  readonly patienceMs: number
}

// A server that failed a moment ago is not waited for any longer.
const backOffMs = 1_000
const marginMs = 5_000
const maxTold = 10

/** Brings the tools of all servers that the agent may use. */
export function toolsHook(parts: ToolsHookParts): Hook {
  const more = resourceTools(parts)
  const bound = new BoundTools(parts)
  return defineHook({
    name: 'mcp:tools',
    on: turnPreToolMaterialization,
    handler: { version: '1' },
    execution: 'blocking',
    timeoutMs: parts.patienceMs + marginMs,
    onFailure: 'open',
    capabilities: [toolBundle.kind, notice.kind],
    async run({ abilities, toolNames }, context) {
      const { scope, contribute, diagnose, signal } = context
      const names = parts.serversFor(scope)
      if (names.length === 0 || !abilities.tools) return proceed
      const brought = await Promise.all(
        names.map((name) => bound.bring(name, scope, signal)),
      )
      for (const [index, one] of brought.entries()) {
        const name = names[index] ?? ''
        for (const problem of one.problems.slice(0, maxTold)) {
          diagnose('mcp.tool_left_out', `Server "${name}": ${problem}.`)
        }
        for (const { tool, kind, isWithheld } of one.changes.slice(
          0,
          maxTold,
        )) {
          const what = isWithheld ? 'It is withheld until it is approved.' : ''
          const message = `Server "${name}": tool "${plainLine(tool, 80)}" was ${kind} after the approval. ${what}`
          diagnose(`mcp.tool_${kind}`, message.trim())
          contribute(notice({ level: 'warning', message: message.trim() }))
        }
        if (one.absent === undefined) continue
        const message = `MCP server "${name}" is not there in this turn: ${one.absent}`
        diagnose('mcp.server_absent', message)
        contribute(notice({ level: 'warning', message }))
      }
      const own = brought.flatMap(({ tools }) => tools)
      const hasMore = brought.some((one) => one.hasMore)
      const all = [...own, ...(hasMore ? more : [])]
      const free = all.filter(({ name }) => !toolNames.includes(name))
      if (free.length < all.length) {
        diagnose('mcp.tools_taken', String(all.length - free.length))
      }
      if (free.length > 0) contribute(toolBundle({ tools: free }))
      return proceed
    },
  })
}

/** Made once for a definition, so that its schema is compiled once. */
class BoundTools {
  readonly #parts: ToolsHookParts
  readonly #made = new WeakMap<ListedTool, Map<string, BoundTool>>()

  constructor(parts: ToolsHookParts) {
    this.#parts = parts
  }

  async bring(
    server: string,
    scope: AgentScope,
    outer: AbortSignal,
  ): Promise<Brought> {
    const { servers, clock, approval, patienceMs } = this.#parts
    const limit = new TimeLimit({ clock, limitMs: patienceMs, outer })
    const nothing = { tools: [], hasMore: false, problems: [], changes: [] }
    try {
      const named = servers.get(server, scope.cwd)
      const { sessionId } = scope
      const caller = { server, sessionId, limit }
      const use = { caller, maxBackOffMs: backOffMs }
      const found = await named.shared.use(use, async (connection) => {
        const { resources, prompts } = connection.capabilities
        const hasMore = resources !== undefined || prompts !== undefined
        return { ...(await connection.tools()), hasMore }
      })
      const { pinned, config } = named
      const { usable, changes } = await approval.judge(pinned, found.tools)
      const { named: own, collisions } = nameTools(server, usable)
      const problems = collisions.map((same) => {
        const both = same.map((tool) => `"${plainLine(tool.name, 80)}"`)
        return `tools ${both.join(' and ')} would have the same name, so that none of them is used`
      })
      return {
        tools: own.map(({ name, tool }) =>
          this.#bind(name, tool, () =>
            bindTool(this.#parts, { name, config, pinned }, tool),
          ),
        ),
        hasMore: found.hasMore,
        problems: [...found.problems, ...problems],
        changes,
      }
    } catch (error) {
      if (limit.isExpired) {
        return { ...nothing, absent: `It took more than ${patienceMs} ms.` }
      }
      const isOurs = error instanceof Unreachable || error instanceof AgentError
      const absent = isOurs ? error.message : 'Its tools cannot be listed.'
      return { ...nothing, absent }
    } finally {
      limit.end()
    }
  }

  #bind(name: string, tool: ListedTool, make: () => BoundTool): BoundTool {
    const made = this.#made.get(tool) ?? new Map<string, BoundTool>()
    this.#made.set(tool, made)
    const known = made.get(name) ?? make()
    made.set(name, known)
    return known
  }
}
