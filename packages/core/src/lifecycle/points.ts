import { agentBuild, agentRegister, agentUnregister } from './agent.ts'
import { compactionPost, compactionPre } from './compaction.ts'
import { event } from './event.ts'
import { llmError, llmPostCall, llmPreCall } from './llm.ts'
import { permissionRequest, permissionResolved } from './permission.ts'
import {
  turnPostPreflightPromptContext,
  turnPostPromptCompile,
  turnPrePromptCompile,
  turnPrePromptContext,
  turnPreToolMaterialization,
} from './prompt.ts'
import { runtimeTurnPreContext } from './runtime.ts'
import { sessionEnd, sessionStart } from './session.ts'
import { subagentStart, subagentStop } from './subagent.ts'
import { toolGuard, toolPostBatch, toolPostCall, toolPreCall } from './tool.ts'
import {
  turnError,
  turnInput,
  turnOutput,
  turnPostTurn,
  turnPrePolicy,
  turnPreTurn,
  turnStop,
} from './turn.ts'

/** Every point of the lifecycle by its stable name, in the order of a turn. */
export const points = Object.freeze({
  'agent.build': agentBuild,
  'agent.register': agentRegister,
  'agent.unregister': agentUnregister,
  'session.start': sessionStart,
  'session.end': sessionEnd,
  'turn.input': turnInput,
  'turn.pre_turn': turnPreTurn,
  'turn.pre_policy': turnPrePolicy,
  'turn.pre_prompt_context': turnPrePromptContext,
  'turn.pre_tool_materialization': turnPreToolMaterialization,
  'turn.post_preflight_prompt_context': turnPostPreflightPromptContext,
  'turn.pre_prompt_compile': turnPrePromptCompile,
  'turn.post_prompt_compile': turnPostPromptCompile,
  'llm.pre_call': llmPreCall,
  'llm.post_call': llmPostCall,
  'llm.error': llmError,
  'tool.pre_call': toolPreCall,
  'tool.guard': toolGuard,
  'permission.request': permissionRequest,
  'permission.resolved': permissionResolved,
  'tool.post_call': toolPostCall,
  'tool.post_batch': toolPostBatch,
  'compaction.pre': compactionPre,
  'compaction.post': compactionPost,
  'turn.stop': turnStop,
  'turn.output': turnOutput,
  'turn.error': turnError,
  'turn.post_turn': turnPostTurn,
  'subagent.start': subagentStart,
  'subagent.stop': subagentStop,
  'runtime.turn_pre_context': runtimeTurnPreContext,
  event,
})

export type PointName = keyof typeof points
