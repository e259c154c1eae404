import type { HoldBack, Mode, Retry, Visibility } from 'hookline'
import type { JsonObject, JsonValue } from 'hookline/lifecycle'

/**
 * A hook as data: what `defineHook` takes, with a handler in place of the
 * function. Names and meanings are the same.
 */
export interface HookDefinition {
  /** Default: `anonymous:<point>:<hash>`, the same as long as the rest is. */
  readonly name?: string
  readonly description?: string
  /** The name of a point. */
  readonly on: string
  readonly match?: JsonObject
  readonly priority?: number
  readonly after?: readonly string[]
  readonly before?: readonly string[]
  readonly needs?: readonly string[]
  readonly execution?: 'blocking' | 'record' | 'background'
  readonly timeoutMs?: number
  readonly idempotent?: boolean
  readonly retry?: Retry
  readonly onFailure?: FailureDefinition
  /** Silence is a failure; by default it means: go on, but for code. */
  readonly mustAnswer?: boolean
  readonly capabilities?: readonly string[]
  readonly writes?: boolean
  readonly beforeWrites?: boolean
  readonly holdBack?: HoldBack
  readonly visibility?: Visibility
  readonly mode?: Mode
  readonly disabled?: boolean
  readonly handler: HandlerDefinition
}

/**
 * Hooks that somebody has made already, used by the name of their entry in a
 * catalogue. What they are asked at, and how they fail, is theirs to say.
 */
export interface UseDefinition {
  /** The name of the entry. */
  readonly use: string
  /** As the entry says. */
  readonly options?: JsonObject
  /** Default: the name of the entry. */
  readonly name?: string
  readonly description?: string
  /** Moves all of its hooks; default 100, which leaves them where they are. */
  readonly priority?: number
  /** Of each of its hooks. */
  readonly timeoutMs?: number
  readonly mode?: Mode
  readonly disabled?: boolean
}

/** What stands in a list of hooks. */
export type EntryDefinition = HookDefinition | UseDefinition

export function isUse(
  definition: EntryDefinition,
): definition is UseDefinition {
  return 'use' in definition
}

export type FailureDefinition =
  | 'open'
  | 'closed'
  | 'required'
  | {
      readonly fallback: {
        readonly value?: JsonValue
        readonly contributions?: readonly WireContribution[]
      }
    }

/** A contribution as data. */
export interface WireContribution {
  readonly kind: string
  readonly value: JsonValue
}

export type HandlerDefinition =
  | CommandDefinition
  | HttpDefinition
  | PromptDefinition
  | ModuleDefinition
  | BuiltinDefinition

export type Framing = 'line' | 'size'

/** A program. It reads the envelope from its input and prints an answer. */
export interface CommandDefinition {
  readonly type: 'command'
  /** The program and its arguments; no shell reads them. */
  readonly argv?: readonly string[]
  /** The same on Windows, where it differs. */
  readonly windowsArgv?: readonly string[]
  /** In place of `argv`: a script for a shell, without a login. */
  readonly shell?: string
  /** `resident`: one process for all calls, a line of JSON each. */
  readonly mode?: 'spawn' | 'resident'
  /**
   * How a resident process is given each envelope; default `line`. With
   * `size`, its size in bytes comes first, on a line: bash reads that as one
   * piece, but lines byte by byte.
   */
  readonly framing?: Framing
  /** Variables of our own environment that it gets beside the harmless ones. */
  readonly env?: readonly string[]
  /** Further variables, as they are. */
  readonly setEnv?: Readonly<Record<string, string>>
  /** Default: the folder of the session. A relative path starts at the config's. */
  readonly cwd?: string
  /** Confined by bubblewrap; where that is missing it does not run at all. */
  readonly sandbox?: SandboxDefinition
  /** How long it may take to end by itself when its time is up; default 1 s. */
  readonly graceMs?: number
  readonly maxStdoutBytes?: number
  readonly maxStderrBytes?: number
}

export interface SandboxDefinition {
  /** Default: false. */
  readonly network?: boolean
  /** Folders it may write to; it reads the rest of the system. */
  readonly writable?: readonly string[]
  /** What within them it may only read. */
  readonly readOnly?: readonly string[]
  /** Files and folders that it does not see at all. */
  readonly hidden?: readonly string[]
  /** At the same time; default 256. */
  readonly maxProcesses?: number
  /** Of each process, and of all together; default 2048. */
  readonly maxMemoryMb?: number
  /** Of each file that it writes, and of its own /tmp; default 1024. */
  readonly maxDiskMb?: number
}

/** A request to a server, which answers with an answer. */
export interface HttpDefinition {
  readonly type: 'http'
  readonly url: string
  /** `${NAME}` stands for a variable that `env` names. */
  readonly headers?: Readonly<Record<string, string>>
  readonly env?: readonly string[]
  /** The variable with the key that requests and replies are signed with. */
  readonly secretEnv?: string
  /** The reply has to be signed as well; default false. */
  readonly mustSign?: boolean
  /** Hosts in private ranges that may be asked all the same. */
  readonly allowPrivate?: boolean
  /** The server knows a run that it has seen, so that a request may come twice. */
  readonly mayRepeat?: boolean
  /** At the same time; default 8. */
  readonly concurrency?: number
  readonly maxBodyBytes?: number
}

/** One call of a model, whose reply has to be an answer. */
export interface PromptDefinition {
  readonly type: 'prompt'
  readonly model: string
  /**
   * `{{input.…}}` stands for an escaped value of what the point is given, such as
   * `{{input.args.command}}`; `{{scope.…}}`, `{{point}}` and the rest of the
   * envelope can be named, too. Without any, all of it goes below as JSON. Where
   * something can be refused there has to be a value, but for `{{input.…?}}`.
   */
  readonly template: string
  readonly maxOutputTokens?: number
  /** A reason that contradicts its decision is asked about; default false. */
  readonly mustAgree?: boolean
}

/** A file of code. */
export interface ModuleDefinition {
  readonly type: 'module'
  readonly file: string
  /** Default: `run`. */
  readonly export?: string
  /** Default: in a thread of its own, which can be ended. */
  readonly isolation?: 'thread' | 'process-wide'
  /** Of its thread; default 128. */
  readonly maxMemoryMb?: number
  /** Variables of our own environment that its thread gets; default none. */
  readonly env?: readonly string[]
}

/** Code that is registered by name. */
export interface BuiltinDefinition {
  readonly type: 'builtin'
  readonly name: string
  readonly options?: JsonObject
}
