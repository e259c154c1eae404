import type { JsonObject } from './json.ts'
import type { AgentScope } from './scope.ts'
import type { SafetyClass, SealedCall, ToolResult } from './tool-call.ts'

/** What a model sees of a tool. */
export interface ToolDeclaration {
  readonly name: string
  readonly description: string
  /** A JSON Schema; arguments are checked against it after every rewrite. */
  readonly inputSchema: JsonObject
}

export interface ToolDefinition extends ToolDeclaration {
  readonly safety: SafetyClass
  /** May be repeated when a crash has left its outcome unknown. */
  readonly idempotent?: boolean
}

/** A tool with what runs it; the two never part. */
export interface BoundTool extends ToolDefinition {
  readonly dispatch: ToolDispatch
}

/** Runs a call. A throw is an error of the tool, told to the model as such. */
export type ToolDispatch = (
  call: SealedCall,
  context: ToolContext,
) => ToolResult | PromiseLike<ToolResult>

export interface ToolContext {
  readonly scope: AgentScope
  readonly signal: AbortSignal
  /** Tells whoever watches how far it has come. */
  progress(text: string): void
}
