import type { AgentTool } from '@hookline/agent'
import type { Point } from 'hookline'
import { type JsonObject, points } from 'hookline/lifecycle'
import { ProtocolError } from '../../protocol/errors.ts'
import type { InputOf } from '../../protocol/operations.ts'
import type { Workspace } from '../../reload/workspace.ts'
import type { OperationService } from '../../service/service-parts.ts'
import { tablesOf } from './agent-tables.ts'
import type { KnownCall } from './matches-call.ts'
import { planAt } from './plan-at.ts'

/** The plan of a point: who is asked, in which order, and what comes of it. */
export function explainOperations(
  workspace: Workspace,
): Pick<OperationService, 'explainHooks'> {
  return {
    async explainHooks(input) {
      const point = pointNamed(input.point)
      const [own] = tablesOf(workspace, input.agent)
      if (own === undefined) {
        const message =
          'There is no agent, and so no plan; add one to the configuration.'
        throw new ProtocolError('conflict', message)
      }
      const call = callOf(workspace, own.agent, input)
      return await planAt(workspace, { ...own, call, point })
    },
  }
}

export function pointNamed(name: string): Point {
  const known: Readonly<Record<string, Point>> = points
  const point = Object.hasOwn(known, name) ? known[name] : undefined
  if (point !== undefined) return point
  const names = Object.keys(known).join(', ')
  const message = `There is no point "${name}"; there are: ${names}.`
  throw new ProtocolError('not-found', message)
}

function callOf(
  { runtime }: Workspace,
  agent: string,
  { tool, args }: InputOf<'explainHooks'>,
): KnownCall {
  const named = ({ name }: AgentTool) => name === tool
  return {
    agent,
    tool,
    args: readArgs(args),
    known: runtime.toolsOf(agent).find(named),
  }
}

function readArgs(args: string | undefined): JsonObject | undefined {
  if (args === undefined) return undefined
  try {
    const read: unknown = JSON.parse(args)
    const isObject =
      typeof read === 'object' && read !== null && !Array.isArray(read)
    if (isObject) return read as JsonObject // what JSON gives is JSON
  } catch {
    // The same is wrong with it as with what is no object.
  }
  const message = 'The arguments are no JSON object, such as {"command": "ls"}.'
  throw new ProtocolError('bad-request', message, {
    problems: [{ path: 'args', message }],
  })
}
