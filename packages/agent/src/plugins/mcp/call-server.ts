import type { Clock } from 'hookline'
import type {
  Actor,
  AgentScope,
  ToolContext,
  ToolErrorKind,
  ToolFailure,
  ToolResult,
} from 'hookline/lifecycle'
import type { Connection } from './connection.ts'
import { ConnectionLost, ServerRefusal, Unreachable } from './failures.ts'
import { problemOfGrant } from './grant-check.ts'
import type { McpServers, NamedServer } from './mcp-servers.ts'
import { type Redact, safeLine } from './redact.ts'
import { TimeLimit } from './time-limit.ts'

export interface CallParts {
  readonly servers: McpServers
  readonly clock: Clock
  /** The servers that the agent of a moment may use. */
  readonly serversFor: (scope: AgentScope) => readonly string[]
}

export type ServerWork = (
  connection: Connection,
  about: { readonly server: NamedServer; readonly signal: AbortSignal },
) => Promise<ToolResult>

/**
 * Has a tool's work done by a server: within its scope, its grant and its
 * time. Whatever goes wrong is a result that says what it is.
 */
export async function callServer(
  { servers, clock, serversFor }: CallParts,
  { name, context }: { readonly name: string; readonly context: ToolContext },
  work: ServerWork,
): Promise<ToolResult> {
  const { scope, call } = context
  const own = serversFor(scope)
  if (!own.includes(name)) {
    const all = own.join(', ') || 'none'
    return failure(
      'denied',
      `You have no MCP server "${name}". There are: ${all}.`,
    )
  }
  let server: NamedServer
  try {
    server = servers.get(name, scope.cwd)
  } catch (error) {
    return describe(error, name, (text) => text)
  }
  const problem = problemOfGrant(server.config, call.grant)
  if (problem !== undefined) return failure('denied', problem)
  const limitMs = Math.min(
    server.resolved.requestTimeoutMs,
    call.grant.timeoutMs,
  )
  const limit = new TimeLimit({ clock, limitMs, outer: context.signal })
  const { sessionId } = scope
  const caller = {
    ...{ server: name, sessionId, callId: call.id, limit },
    joinIn: (by: Actor) => context.joinIn(by),
    beginWait: () => {
      const end = context.beginWait()
      limit.pause()
      return () => {
        limit.resume()
        end()
      }
    },
  }
  try {
    const use = { caller, maxBackOffMs: Infinity }
    return await server.shared.use(use, (connection, signal) =>
      work(connection, { server, signal }),
    )
  } catch (error) {
    if (context.signal.aborted) throw error
    if (limit.isExpired) {
      const why = `The server "${name}" did not answer within ${limitMs} ms. It may have acted.`
      return failure('timeout', why)
    }
    return describe(error, name, server.redact)
  } finally {
    limit.end()
  }
}

function describe(error: unknown, name: string, redact: Redact): ToolFailure {
  if (error instanceof ServerRefusal) {
    const why = safeLine(error.message, { redact, maxPoints: 2_000 })
    return failure('tool', `The server "${name}" refused: ${why}`)
  }
  if (error instanceof Unreachable) {
    const why = `The server "${name}" cannot be used, and was asked nothing: ${error.message}`
    return failure('tool', why)
  }
  if (error instanceof ConnectionLost) {
    const why = `The connection to the server "${name}" was lost during the call; nobody knows what it has done. ${error.message}`
    return failure('unknown_outcome', why)
  }
  throw error
}

export function failure(error: ToolErrorKind, text: string): ToolFailure {
  return { content: [{ type: 'text', text }], isError: true, error }
}
