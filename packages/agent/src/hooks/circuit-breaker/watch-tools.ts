import { defineHook, type Hook, proceed, reject } from 'hookline'
import {
  type AgentScope,
  type ToolErrorKind,
  type ToolPostCallInput,
  toolGuard,
  toolPostCall,
} from 'hookline/lifecycle'
import { type Breaker, counting, type WatchedCall } from './breaker.ts'

/** Refuses calls of tools that rest, and counts how the others end. */
export function watchTools(
  breaker: Breaker,
  tools: readonly string[],
  errors: readonly ToolErrorKind[],
): readonly Hook[] {
  const watched = new Set(tools)
  const gate = defineHook({
    name: `${breaker.name}:tools`,
    on: toolGuard,
    handler: { version: '1' },
    match: ({ tool }) => watched.has(tool),
    async run(input, { scope, state }) {
      const refusal = await breaker.refusalOf(state, callOf(input, scope))
      return refusal === undefined ? proceed : reject(refusal)
    },
  })
  const count = defineHook({
    ...counting,
    name: `${breaker.name}:tool-ends`,
    on: toolPostCall,
    match: ({ call }) => watched.has(call.tool),
    async run(input, { scope, state, contribute }) {
      const call = callOf(input.call, scope)
      if (!hasRun(input)) {
        await breaker.letOthersTry(state, (holder) => holder === call.holder)
        return proceed
      }
      const { result } = input
      const isFailure = result.isError && errors.includes(result.error)
      const told = await breaker.noteCall(state, { ...call, isFailure })
      for (const one of told) contribute(one)
      return proceed
    },
  })
  return [gate, count]
}

function callOf(
  { id, tool }: { readonly id: string; readonly tool: string },
  { turnId }: AgentScope,
): WatchedCall {
  const holder = `${turnId}:${id}`
  return { kind: 'tool', name: tool, key: `tool:${tool}`, holder }
}

/** Whether the tool itself had a say in how the call has ended. */
function hasRun({ status, result }: ToolPostCallInput): boolean {
  if (status === 'executed' || status === 'unknown_outcome') return true
  return result.isError && result.error === 'timeout'
}
