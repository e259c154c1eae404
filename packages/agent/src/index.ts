export { type Agent, type AgentSpec, createAgent } from './create-agent.ts'
export type { SubscribeOptions, Subscription } from './events/subscription.ts'
export type { CompactionOutcome } from './loop/compact.ts'
export { stepLoop } from './loop/step-loop.ts'
export type { SteerOutcome } from './loop/turn.ts'
export type { AiSdkModel } from './model/ai-sdk/model-shape.ts'
export { type AiSdkOptions, fromAiSdk } from './model/ai-sdk.ts'
export type { ProviderSource } from './model/model-factory.ts'
export type { ProviderConfig } from './model/provider-config.ts'
export {
  createModelRegistry,
  type ModelRegistryOptions,
} from './model/registry.ts'
export {
  type AnswerOutcome,
  createMemoryApprovals,
  createPolicy,
  type MemoryApprovals,
  type MemoryApprovalsOptions,
  narrowPolicy,
  type PendingApproval,
  type PolicyMode,
  type PolicyOptions,
  type PolicyRule,
} from './policy/index.ts'
export { AgentError, type AgentErrorCode } from './ports/agent-error.ts'
export {
  type ApprovalAnswer,
  type ApprovalsPort,
  type AskOptions,
  Suspension,
} from './ports/approvals.ts'
export type { BackgroundPort, BackgroundTask } from './ports/background.ts'
export type { Core, CoreEnd, CoreTurn, ModelReply } from './ports/core.ts'
export { costOf } from './ports/cost-of.ts'
export type {
  GenerateOptions,
  Model,
  ModelPrice,
  ModelRegistry,
} from './ports/model.ts'
export { ModelFailure } from './ports/model-failure.ts'
export type { PolicyPort } from './ports/policy.ts'
export type { PreflightPort, PreflightTurn } from './ports/preflight.ts'
export type {
  CallEnded,
  CallSealed,
  CallVerdict,
  CallWaiting,
  ConversationTail,
  HandedTask,
  HistoryCompacted,
  JoinedWords,
  JournalEntry,
  OpenCall,
  OpenTurn,
  SessionEnded,
  SessionInfo,
  SessionParent,
  SessionStore,
  StepCommitted,
  StepOpened,
  StoredSession,
  TurnEnded,
  TurnResumed,
  TurnStarted,
} from './ports/store.ts'
export type { TurnResult } from './ports/turn-result.ts'
export type {
  StoredProgress,
  TurnSpent,
  TurnUse,
} from './ports/turn-use.ts'
export { explainPrompt } from './prompt/explain-prompt.ts'
export {
  createModelPreflight,
  type ModelPreflightOptions,
} from './prompt/model-preflight.ts'
export type { AgentOptions } from './runtime/agents-context.ts'
export { createAsyncScope } from './runtime/async-scope.ts'
export { createRuntime } from './runtime/create-runtime.ts'
export type { AgentTurn } from './runtime/deferred-turn.ts'
export type { InterruptedTurn } from './runtime/interrupted-turn.ts'
export { lifecycleJudge } from './runtime/lifecycle-judge.ts'
export type { RuntimeOptions } from './runtime/options.ts'
export {
  definePlugin,
  type Plugin,
  type PluginHost,
  type PluginSpec,
  type ScopedTools,
} from './runtime/plugin.ts'
export type {
  AgentTool,
  AnyContext,
  EndedTask,
  HookToolCall,
  Runtime,
  SessionOptions,
} from './runtime/runtime.ts'
export type { Session } from './runtime/session.ts'
export type { ResumeOptions, SendOptions } from './runtime/start-turn.ts'
export {
  containStrayErrors,
  isContainedError,
  type StrayError,
  type StrayErrorOptions,
} from './runtime/stray-errors.ts'
export type { TurnHandle } from './runtime/turn-handle.ts'
export { canonicalJson } from './seal/canonical-json.ts'
export type {
  FoundMemory,
  Memories,
  Memory,
  MemoryOrigin,
  NewMemory,
  Remembered,
  SupersededMemory,
} from './store/memories/memories.ts'
export type { MemorySpace, Space } from './store/memories/space.ts'
export {
  createTransientMemories,
  type TransientMemoriesOptions,
} from './store/memories/transient-memories.ts'
export { createMemoryStore } from './store/memory-store.ts'
export {
  defineTool,
  type ToolExecute,
  type ToolInput,
  type ToolSpec,
} from './tools/define-tool.ts'
export type { StandardSchema } from './tools/standard-schema.ts'
export type { ToolOutput } from './tools/tool-output.ts'
