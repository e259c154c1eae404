import type { ToolCall } from './tool-call.ts'

interface HoldsCall {
  readonly call: ToolCall
}

/** What a call can be matched by. */
export const callFields = {
  tool: ({ tool }: ToolCall) => tool,
  owner: ({ owner }: ToolCall) => owner,
  safety: ({ safety }: ToolCall) => safety,
  args: ({ args }: ToolCall) => args,
}

/** The same, where the input has more to say than the call. */
export const heldCallFields = {
  tool: ({ call }: HoldsCall) => call.tool,
  owner: ({ call }: HoldsCall) => call.owner,
  safety: ({ call }: HoldsCall) => call.safety,
  args: ({ call }: HoldsCall) => call.args,
}
