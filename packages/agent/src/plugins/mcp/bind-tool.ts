import type { Clock } from 'hookline'
import type { BoundTool, JsonObject, ToolContext } from 'hookline/lifecycle'
import { defineTool } from '../../index.ts'
import { type CallParts, callServer, failure } from './call-server.ts'
import type { Progress } from './client-package.ts'
import { readCallResult } from './read-content.ts'
import { type Redact, safeLine } from './redact.ts'
import type { McpServerConfig } from './server-config.ts'
import type { PinnedServer, ToolApproval } from './tool-approval.ts'
import type { ListedTool } from './tool-listing.ts'
import { hintsOf, safetyOf } from './tool-safety.ts'

export interface BindParts extends CallParts {
  readonly approval: ToolApproval
}

export interface ToolPlace {
  /** What agents call it. */
  readonly name: string
  readonly config: McpServerConfig
  readonly pinned: PinnedServer
}

/** A tool of a server as agents have it. */
export function bindTool(
  parts: BindParts,
  { name, config, pinned }: ToolPlace,
  listed: ListedTool,
): BoundTool {
  const server = pinned.name
  const about = listed.description || `Tool of the MCP server "${server}".`
  return defineTool({
    name,
    description: `${about} ${hintsOf(listed.annotations)}`.trim(),
    input: listed.inputSchema,
    safety: safetyOf(config, listed.annotations),
    execute: (args, context) =>
      callServer(parts, { name: server, context }, async (connection, use) => {
        const { tools } = await connection.tools()
        const now = tools.find((tool) => tool.name === listed.name)
        if (now === undefined) {
          return failure('tool', 'The server no longer has this tool.')
        }
        if (now.hash !== listed.hash) {
          await parts.approval.judge(pinned, tools)
          return failure(
            'denied',
            'The server has changed this tool since you were told of it. Nothing was done.',
          )
        }
        const given = await connection.ask(requestOf(listed.name, args), {
          signal: use.signal,
          onprogress: tellProgress(context, {
            clock: parts.clock,
            redact: connection.redact,
          }),
        })
        const { maxOutputBytes } = context.call.grant
        // The rest is for our own words.
        const maxBytes = Math.max(0, maxOutputBytes - 2_000)
        return readCallResult(given, { maxBytes, redact: use.server.redact })
      }),
  })
}

function requestOf(name: string, args: JsonObject) {
  return { method: 'tools/call', params: { name, arguments: args } }
}

const betweenMs = 100

/** Tells how far it has come, not more often than anybody can read. */
function tellProgress(
  context: ToolContext,
  { clock, redact }: { clock: Clock; redact: Redact },
) {
  let next = -Infinity
  return ({ progress: done, total, message }: Progress) => {
    const now = clock.now()
    if (now < next) return
    next = now + betweenMs
    const share = total === undefined ? `${done}` : `${done} of ${total}`
    const words = safeLine(message, { redact, maxPoints: 500 })
    context.progress(`${words} (${share})`.trim())
  }
}
