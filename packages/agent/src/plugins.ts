export {
  type AskUserPluginOptions,
  createAskUserPlugin,
} from './plugins/ask-user/create-ask-user-plugin.ts'
export type {
  UserAnswer,
  UserOption,
  UserQuestion,
} from './plugins/ask-user/questions.ts'
export {
  type AnswerReceipt,
  type PendingQuestions,
  type QuestionsEnd,
  type QuestionsKey,
  UserQuestions,
  type UserQuestionsOptions,
} from './plugins/ask-user/user-questions.ts'
export {
  createDelegatePlugin,
  type DelegatePluginOptions,
} from './plugins/delegate/create-delegate-plugin.ts'
export {
  createMcpPlugin,
  type McpPlugin,
  type McpPluginOptions,
} from './plugins/mcp/create-mcp-plugin.ts'
export type { McpServerStatus } from './plugins/mcp/mcp-servers.ts'
export {
  createFilePins,
  type McpPins,
  type PinnedTools,
} from './plugins/mcp/pins.ts'
export type {
  McpEnv,
  McpHttpServer,
  McpServerConfig,
  McpStdioServer,
} from './plugins/mcp/server-config.ts'
export type {
  AskUser,
  McpAnswer,
  McpQuestion,
} from './plugins/mcp/server-requests.ts'
export type { McpServerState } from './plugins/mcp/shared-server.ts'
export type { McpToolChange } from './plugins/mcp/tool-approval.ts'
export {
  createMemoryPlugin,
  type MemoryPluginOptions,
} from './plugins/memory/create-memory-plugin.ts'
export {
  createOsPlugin,
  type OsPluginOptions,
} from './plugins/os/create-os-plugin.ts'
export {
  createSkillsPlugin,
  type SkillsPlugin,
  type SkillsPluginOptions,
} from './plugins/skills/create-skills-plugin.ts'
export type {
  Skill,
  SkillProblem,
  SkillTriggers,
} from './plugins/skills/skill.ts'
