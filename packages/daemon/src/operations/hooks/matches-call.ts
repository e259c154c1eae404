import type { AgentTool } from '@hookline/agent'
import {
  type Condition,
  compileCondition,
  type MatchEngines,
  type PlannedHook,
} from 'hookline'
import type { AgentScope, JsonObject } from 'hookline/lifecycle'

type Matches = 'yes' | 'no' | 'depends'

/** What is known of the call that a plan is asked about. */
export interface KnownCall {
  readonly agent: string
  readonly tool?: string | undefined
  readonly args?: JsonObject | undefined
  /** Undefined where the agent has no such tool. */
  readonly known?: AgentTool | undefined
}

/** Whether a hook would run, as far as can be said from what is known. */
export function matchesCall(
  { hook, matches, point }: PlannedHook,
  call: KnownCall,
  engines: Partial<MatchEngines>,
): Matches {
  const { match } = hook
  if (match === undefined) return 'yes'
  if (typeof match === 'function') return tryPredicate(matches, point, call)
  const values = knownFields(call)
  const found = Object.entries(match).map(([field, condition]): Matches => {
    if (!values.has(field)) return 'depends'
    const test = compileCondition(condition as Condition, engines) // as the table did
    return test(values.get(field)) ? 'yes' : 'no'
  })
  if (found.includes('no')) return 'no'
  return found.includes('depends') ? 'depends' : 'yes'
}

function knownFields({ agent, tool, args, known }: KnownCall) {
  return new Map<string, unknown>([
    ['agent', agent],
    ...(tool === undefined ? [] : [['tool', tool] as const]),
    ...(args === undefined ? [] : [['args', args] as const]),
    ...(known === undefined
      ? []
      : ([
          ['owner', known.owner],
          ['safety', known.safety],
        ] as const)),
  ])
}

const atCalls: ReadonlySet<string> = new Set(['tool.pre_call', 'tool.guard'])

/** Code can only be asked, and only with all of the call that there is. */
function tryPredicate(
  matches: PlannedHook['matches'],
  point: string,
  { agent, tool, args, known }: KnownCall,
): Matches {
  const isWhole = tool !== undefined && args !== undefined && known
  if (!isWhole || !atCalls.has(point) || matches === undefined) {
    return 'depends'
  }
  const { owner, safety } = known
  const grant = { decision: 'allow', sandbox: 'none', roots: [], network: [] }
  const input = { id: 'explain', tool, owner, safety, args, grant }
  const scope: AgentScope = { agent, origin: 'user', coreType: 'loop' }
  try {
    return matches(Object.freeze(input), Object.freeze(scope)) ? 'yes' : 'no'
  } catch {
    // It wants to know more than anybody could say now.
    return 'depends'
  }
}
