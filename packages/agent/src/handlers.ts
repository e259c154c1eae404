export { answerSchema } from './handlers/answer/answer-schema.ts'
export { envelopeSchema } from './handlers/answer/envelope-schema.ts'
export type {
  JsonLimits,
  JsonProblem,
} from './handlers/answer/json-limits.ts'
export {
  readStrictJson,
  type StrictJson,
} from './handlers/answer/strict-json.ts'
export {
  type BoundParts,
  bindHook,
  type CallModel,
} from './handlers/bind-hook.ts'
export type {
  Builtin,
  Builtins,
} from './handlers/builtin/create-builtins.ts'
export { buildEnv, type EnvGrants } from './handlers/command/build-env.ts'
export { checkCommand } from './handlers/command/check-command.ts'
export type {
  CommandEnd,
  CommandRunner,
  CommandSpec,
} from './handlers/command/command-runner.ts'
export {
  type CommandRunnerOptions,
  createCommandRunner,
} from './handlers/command/create-command-runner.ts'
export { shellArgv } from './handlers/command/shell-argv.ts'
export {
  createHandlers,
  type HandlerPlace,
  type Handlers,
  type HandlersOptions,
  type OpenedHandler,
} from './handlers/create-handlers.ts'
export type {
  BuiltinDefinition,
  CommandDefinition,
  EntryDefinition,
  HandlerDefinition,
  HookDefinition,
  HttpDefinition,
  ModuleDefinition,
  PromptDefinition,
  SandboxDefinition,
  UseDefinition,
  WireContribution,
} from './handlers/definition.ts'
export { isUse } from './handlers/definition.ts'
export type {
  Envelope,
  Handler,
  HandlerCall,
  HandlerReply,
} from './handlers/handler.ts'
export {
  HandlerFailure,
  type HandlerFailureCode,
} from './handlers/handler-failure.ts'
export {
  signatureHeaders,
  signBody,
  verifySignature,
} from './handlers/http/signature.ts'
export type { CodeContext, CodeRun } from './handlers/module/code-run.ts'
