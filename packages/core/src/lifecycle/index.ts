export {
  type AgentBuildInput,
  type AgentRegisterInput,
  agentBuild,
  agentRegister,
  agentUnregister,
} from './agent.ts'
export type {
  AgentConfig,
  AgentLimits,
  CompactionConfig,
  PromptBudgets,
  PromptFragment,
} from './agent-config.ts'
export type {
  AgentEvent,
  CompactionEvent,
  EditSubject,
  EventPlace,
  GapEvent,
  HookEdit,
  HookEvent,
  PermissionEvent,
  PromptEvent,
  StepEvent,
  SubagentEvent,
  TextEvent,
  ToolEvent,
  TurnEvent,
  UsageEvent,
} from './agent-event.ts'
export {
  type CompactionBudget,
  type CompactionHint,
  type CompactionPostInput,
  type CompactionPreInput,
  type CompactionTrigger,
  compactionPost,
  compactionPre,
} from './compaction.ts'
export type {
  ContentBlock,
  FileBlock,
  ImageBlock,
  MediaBlock,
  MediaSource,
  ModelContent,
  ReasoningBlock,
  Reply,
  TextBlock,
  ToolCallBlock,
  ToolResultBlock,
  UserContent,
} from './content.ts'
export { type AuditEntry, audit } from './contributions/audit.ts'
export type {
  MergedFragment,
  MergedSection,
  SectionDiagnostic,
} from './contributions/fill-section.ts'
export { type BackgroundJob, job } from './contributions/job.ts'
export {
  type ContextBudget,
  type ContextDiagnostic,
  type MergedContext,
  type MergedEntry,
  mergeContext,
} from './contributions/merge-context.ts'
export type { MergeDiagnostic } from './contributions/merge-diagnostic.ts'
export {
  type EffectivePolicy,
  type MergedPolicies,
  mergePolicies,
} from './contributions/merge-policies.ts'
export {
  type MergedSections,
  mergeSections,
  type SectionBudget,
} from './contributions/merge-sections.ts'
export {
  type MergedTools,
  mergeTools,
  type OwnedTool,
  type TakenTool,
  type ToolCollision,
} from './contributions/merge-tools.ts'
export { type Notice, notice } from './contributions/notice.ts'
export { type Policy, policy } from './contributions/policy.ts'
export { promptBudgets } from './contributions/prompt-budgets.ts'
export {
  type ContextEntry,
  promptContext,
} from './contributions/prompt-context.ts'
export {
  promptSection,
  type SectionFragment,
} from './contributions/prompt-section.ts'
export { type Restriction, restriction } from './contributions/restriction.ts'
export { type ToolBundle, toolBundle } from './contributions/tool-bundle.ts'
export { event } from './event.ts'
export type { Grant, NetworkAccess, Sandbox } from './grant.ts'
export type { JsonObject, JsonValue } from './json.ts'
export {
  type LlmErrorInput,
  type LlmPostCallInput,
  type LlmPreCallInput,
  llmError,
  llmPostCall,
  llmPreCall,
  type ModelFailed,
  type ModelReturned,
} from './llm.ts'
export type {
  AssistantMessage,
  Message,
  SystemMessage,
  ToolMessage,
  UserMessage,
} from './message.ts'
export type {
  ModelAbilities,
  ModelRequest,
  ModelResponse,
  ModelSettings,
  StopReason,
  ToolChoice,
  Usage,
} from './model-call.ts'
export type {
  ModelError,
  ModelErrorCode,
  RetryDecision,
} from './model-error.ts'
export {
  type AnsweredBy,
  type Answerer,
  type PermissionDecision,
  type PermissionQuestion,
  type PermissionResolvedInput,
  permissionRequest,
  permissionResolved,
  type UnansweredBecause,
  type UnseenHook,
} from './permission.ts'
export { type PointName, points } from './points.ts'
export type { PreflightPlan, RecallRequest } from './preflight-plan.ts'
export {
  type CompiledPromptInput,
  type PostPreflightInput,
  type PromptCompileInput,
  type PromptContextInput,
  type PromptInput,
  type ToolMaterializationInput,
  turnPostPreflightPromptContext,
  turnPostPromptCompile,
  turnPrePromptCompile,
  turnPrePromptContext,
  turnPreToolMaterialization,
} from './prompt.ts'
export type { ManifestFragment, PromptManifest } from './prompt-manifest.ts'
export { type ExternalTurnInput, runtimeTurnPreContext } from './runtime.ts'
export type { Actor, AgentScope, Origin } from './scope.ts'
export {
  type SessionEndInput,
  type SessionEndReason,
  type SessionSource,
  type SessionStartInput,
  sessionEnd,
  sessionStart,
} from './session.ts'
export {
  type SubagentStartInput,
  type SubagentStopInput,
  subagentStart,
  subagentStop,
} from './subagent.ts'
export {
  type ToolPostBatchInput,
  type ToolPostCallInput,
  toolGuard,
  toolPostBatch,
  toolPostCall,
  toolPreCall,
} from './tool.ts'
export type {
  EndedCall,
  GrantedCall,
  SafetyClass,
  SealedCall,
  ToolCall,
  ToolCallStatus,
  ToolErrorKind,
  ToolFailure,
  ToolResult,
  ToolSuccess,
} from './tool-call.ts'
export type {
  ArgsCheck,
  BoundTool,
  CheckedArgs,
  DelegatedResult,
  DelegatedTask,
  HandedOn,
  ToolContext,
  ToolDeclaration,
  ToolDefinition,
  ToolDispatch,
} from './tool-definition.ts'
export {
  type PostTurnInput,
  type TurnContentInput,
  type TurnErrorInput,
  type TurnOutputInput,
  type TurnPolicyInput,
  type TurnStopInput,
  turnError,
  turnInput,
  turnOutput,
  turnPostTurn,
  turnPrePolicy,
  turnPreTurn,
  turnStop,
} from './turn.ts'
export type {
  ToolSummary,
  TurnError,
  TurnStatus,
  TurnSummary,
} from './turn-end.ts'
