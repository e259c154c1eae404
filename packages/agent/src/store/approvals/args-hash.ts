import type { ToolCall } from 'hookline/lifecycle'
import type { Macs } from './macs.ts'

/** The same for calls of an agent that do the same. */
export function argsHash(
  macs: Macs,
  agent: string,
  { tool, owner, safety, args }: ToolCall,
): string {
  return macs.hash([agent, tool, owner, safety, args])
}
