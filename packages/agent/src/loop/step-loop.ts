import type { Core, CoreEnd, CoreTurn } from '../ports/core.ts'

/** Asks the model, runs its calls, and so on until it has nothing to do. */
export const stepLoop: Core = {
  type: 'loop',
  honours: [
    'turn.pre_prompt_context',
    'turn.pre_tool_materialization',
    'turn.post_preflight_prompt_context',
    'turn.pre_prompt_compile',
    'turn.post_prompt_compile',
    'llm.pre_call',
    'llm.post_call',
    'llm.error',
    'tool.pre_call',
    'tool.guard',
    'permission.request',
    'permission.resolved',
    'tool.post_call',
    'tool.post_batch',
    'compaction.pre',
    'compaction.post',
    'turn.stop',
    'subagent.start',
    'subagent.stop',
  ],
  canResume: true,
  run: runSteps,
}

async function runSteps(turn: CoreTurn): Promise<CoreEnd> {
  await turn.compilePrompt()
  const left = await turn.finishStep()
  if (left !== undefined) return left
  for (;;) {
    const limit = await turn.beginStep()
    if (limit !== undefined) return limit
    const reply = await turn.callModel()
    if (reply.type === 'end') return reply
    const isDone = reply.calls.length === 0
    const end = await (isDone ? turn.askStop(reply) : turn.callTools(reply))
    if (end !== undefined) return end
  }
}
