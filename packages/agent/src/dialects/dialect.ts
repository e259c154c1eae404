import type { Hook, HookContext, PointShape, Question } from 'hookline'
import type {
  AgentScope,
  EndedCall,
  JsonObject,
  ModelRequest,
  ModelResponse,
  PointName,
} from 'hookline/lifecycle'
import type { CommandRunner } from '../handlers/command/command-runner.ts'
import type { HttpSender } from '../handlers/http/http-sender.ts'
import type { Finding, Place } from './finding.ts'
import type { ToolAlias } from './tool-alias.ts'

export type DialectName =
  | 'claude-code'
  | 'codex'
  | 'gemini'
  | 'cursor'
  | 'copilot'
  | 'vs-code'

/** Reads hook files of another product, and runs what they hold here. */
export interface Dialect {
  readonly name: DialectName
  /** Every event of the product, with the points it fires at; none: never. */
  readonly events: Readonly<Record<string, readonly PointName[]>>
  /** Never throws: what cannot be read is a finding. */
  readFile(text: string, source: Source): HookFile
  /** What its files come to together; absent: all that they hold. */
  combine?(
    files: readonly HookFile[],
    options: { readonly isStrict: boolean },
  ): Pick<HookFile, 'hooks' | 'findings'>
  /** One hook for each event and point, which merges as the product does. */
  toHooks(
    foreign: readonly ForeignHook[],
    parts: DialectParts,
  ): Promise<readonly Hook[]>
}

/** Where a hook file comes from. */
export interface Source {
  readonly file: string
  readonly layer: Layer
  readonly plugin?: PluginSource
}

export type Layer =
  | 'managed'
  | 'user'
  | 'project'
  | 'local'
  | 'plugin'
  | 'command-line'

export interface PluginSource {
  readonly name: string
  readonly root: string
  /** Where it may keep things; default: a folder of the dialect's. */
  readonly data?: string
  readonly options?: Readonly<Record<string, string>>
}

/** What a file holds, and what is wrong with it. */
export interface HookFile {
  readonly source: Source
  readonly hooks: readonly ForeignHook[]
  readonly findings: readonly Finding[]
  /** What it says about all hooks, such as that none is to run. */
  readonly settings: JsonObject
}

/** One handler of another product's hook file. */
export interface ForeignHook {
  /** Stable: `<file>#<event>[<group>].hooks[<index>]` or as the format has it. */
  readonly id: string
  readonly dialect: DialectName
  readonly event: string
  /** None: it never fires here. */
  readonly points: readonly PointName[]
  readonly matcher?: string
  readonly handler: ForeignHandler
  /** What the file says, in milliseconds; absent: the product's default. */
  readonly timeoutMs?: number
  /** What else its entry says, as it is: `if`, `async`, `onFailure`, `failClosed`. */
  readonly flags: JsonObject
  readonly source: Source
  readonly place: Place
}

export type ForeignHandler =
  | ForeignCommand
  | ForeignRequest
  | ForeignPrompt
  | ForeignToolCall

export interface ForeignCommand {
  readonly type: 'command'
  /** A script for a shell; with `args` a program that no shell reads. */
  readonly command: string
  readonly args?: readonly string[]
  readonly shell?: 'bash' | 'powershell'
  /** A relative one starts at the project. */
  readonly cwd?: string
  readonly env?: Readonly<Record<string, string>>
}

export interface ForeignRequest {
  readonly type: 'http'
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  /** The variables that `$NAME` in a header may stand for. */
  readonly allowedEnv: readonly string[]
}

export interface ForeignPrompt {
  readonly type: 'prompt'
  readonly prompt: string
  readonly model?: string
}

export interface ForeignToolCall {
  readonly type: 'mcp_tool'
  readonly server: string
  readonly tool: string
  readonly input: JsonObject
}

/** The context of any hook that is waited for. */
export type AnyContext = HookContext<PointShape>

/** What the hooks of a dialect work with. */
export interface DialectParts {
  readonly runner: CommandRunner
  readonly sender?: HttpSender
  readonly callModel?: (
    context: AnyContext,
    request: ModelRequest,
  ) => Promise<ModelResponse>
  readonly callTool?: (
    context: AnyContext,
    call: { readonly tool: string; readonly args: JsonObject },
  ) => Promise<EndedCall>
  /** What commands inherit; the dialect adds its own variables. */
  readonly env: Readonly<Record<string, string>>
  readonly projectDir: string
  /** For transcripts, environment files and texts that are too long. */
  readonly dataDir: string
  /** What the product lets pass because a hook failed is denied. */
  readonly isStrict?: boolean
  /** By the name of our tool, beside and before the usual ones. */
  readonly tools?: Readonly<Record<string, ToolAlias>>
  /** For prompts that name no model. */
  readonly model?: string
  /** Where commands run: the project (default), or where the session is. */
  readonly cwdRule?: 'project' | 'session'
  /** Whose "allow" answers for the user; default: everybody's, none in strict. */
  readonly mayApprove?: (hook: ForeignHook) => boolean
  /** Whether its "allow" answers all of these; default: it does. */
  readonly mayAnswer?: (
    hook: ForeignHook,
    questions: readonly Question[],
  ) => boolean
  /** What scripts are told as `permission_mode`; default `default`. */
  readonly permissionMode?: (scope: AgentScope) => string
  /** Has the model go on with a text, although nobody said anything. */
  readonly wake?: (sessionId: string, text: string) => void
  /** Why a hook must not run, where it is no longer what was trusted. */
  readonly checkTrust?: (hook: ForeignHook, cwd: string) => string | undefined
  /** Names of hooks begin with it; default: the dialect's name. */
  readonly prefix?: string
}
