export type { Catalogue, CatalogueEntry } from './config/catalogue.ts'
export { createConfigSchema } from './config/config-schema.ts'
export { defineConfig } from './config/define-config.ts'
export type {
  ConfigFile,
  DialectEntry,
} from './config/file-sections.ts'
export {
  authorityOf,
  type ConfigLayer,
  isProjectScope,
} from './config/layer.ts'
export { type CompileRegex, loadLinearRegex } from './config/linear-regex.ts'
export { type CodeRuns, createCodeRuns } from './config/load-code.ts'
export { loadConfig } from './config/load-config.ts'
export type {
  ConfigSource,
  ConfiguredDialect,
  ConfiguredHook,
  LoadedConfig,
} from './config/loaded-config.ts'
export type { LoadOptions, TrustQuestion } from './config/loader.ts'
export { type ConfigNode, dataOf } from './config/node.ts'
export { type ConfigPlaces, configFolders } from './config/places.ts'
export type { ConfigProblem, ProblemCode } from './config/problem.ts'
export type { ConfigSection, SectionValue } from './config/section.ts'
export { jsonObject, list, object, record } from './config/shape/containers.ts'
export { flag, number, text, word } from './config/shape/scalars.ts'
export {
  below,
  described,
  type JsonSchema,
  type Reading,
  refuse,
  type Shape,
} from './config/shape/shape.ts'
export type { DialectName } from './dialects/dialect.ts'
export { type Finding, losesFile } from './dialects/finding.ts'
export {
  type LintOptions,
  lintHookFile,
} from './dialects/lint/lint-hook-file.ts'
export { readScript } from './dialects/lint/read-script.ts'
export { loadDialect } from './dialects/load-dialect.ts'
export {
  type AnswerOptions,
  answerAs,
  type HookReply,
  type HookRequest,
} from './dialects/out/answer-as.ts'
export type { AssemblyProblem } from './hook-set/assemble-hooks.ts'
export { assembleUse } from './hook-set/assemble-use.ts'
export type {
  HooksCatalogue,
  OpenedHooks,
  OpenHooksOptions,
} from './hook-set/hooks-options.ts'
export type { HooksState, SwappedHooks } from './hook-set/hooks-state.ts'
export { openHooks } from './hook-set/open-hooks.ts'
export { createTrust } from './trust/create-trust.ts'
export { guardTrust, type TrustGuard } from './trust/guard-trust.ts'
export type {
  Inspection,
  Trust,
  TrustItem,
  TrustOptions,
  TrustState,
} from './trust/trust.ts'
export { TrustError, type TrustErrorCode } from './trust/trust-error.ts'
export { sourceOf, type TrustSource } from './trust/trust-source.ts'
