import { audit, type ToolCall } from 'hookline/lifecycle'
import { cutText } from '../data/cut-text.ts'
import { byCheck, deny, type StoppedCall } from './call-flow.ts'
import type { Turn } from './turn.ts'

const maxNames = 50
const maxNamePoints = 200

/**
 * Stops a call of a tool that the agent does not have. To want one that others
 * have is more than a slip, and is put on record.
 */
export function refuseTool(turn: Turn, call: ToolCall): StoppedCall {
  const { parts, agent, progress } = turn
  const { tool } = call
  // The model may have named anything.
  const shown = cutText(tool, maxNamePoints)
  const names = [...progress.tools.byName.keys()].slice(0, maxNames)
  const known = names.join(', ') || 'none'
  if (!parts.isTool(tool) && !progress.withheldTools.includes(tool)) {
    const text = `There is no tool "${shown}". Available: ${known}.`
    return deny(call, text, byCheck)
  }
  const { name } = agent.config
  parts.alarm('scope-violation', `${name}: ${tool}`)
  const details = { agent: name, tool, callId: call.id }
  const entry = audit({ event: 'scope.violation', details })
  try {
    parts.collect({ ...entry, by: 'runtime' }, progress.scope)
  } catch {
    // Whoever collects must not change what is decided.
    parts.alarm('port-threw', 'collect')
  }
  const text = `Tool "${shown}" is not available to you. Available: ${known}.`
  return deny(call, text, byCheck)
}
