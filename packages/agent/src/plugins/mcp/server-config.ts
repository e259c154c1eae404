import type { SafetyClass } from 'hookline/lifecycle'
import { AgentError } from '../../index.ts'

/** Variables that a server may have beside the harmless ones. */
export interface McpEnv {
  /** Names of ours that are handed on. */
  readonly names?: readonly string[]
  /** Others that are set, as they are. */
  readonly set?: Readonly<Record<string, string>>
}

interface AnyServer {
  readonly env?: McpEnv
  /** The worst its tools can do; default `network`, over stdio `destructive`. */
  readonly safety?: SafetyClass
  /** A tool that is said to be harmless has a lower class; default false. */
  readonly trustAnnotations?: boolean
  /**
   * You answer for what it touches. Otherwise a call is refused unless its
   * grant allows all that the server could do.
   */
  readonly isTrusted?: boolean
  /** Tells it the session's folder, and keeps one for each; default false. */
  readonly roots?: boolean
  /** Default 20 s. */
  readonly connectTimeoutMs?: number
  /** Default 60 s; a call has no more than its grant either. */
  readonly requestTimeoutMs?: number
  /** Stops after so long without a request; default 10 minutes. */
  readonly idleMs?: number
  /** The longest message that is read; default 4 MiB. */
  readonly maxMessageBytes?: number
}

/** A program that speaks over its standard input and output. */
export interface McpStdioServer extends AnyServer {
  readonly command: string
  readonly args?: readonly string[]
  readonly cwd?: string
}

/** A server that speaks streamable HTTP. */
export interface McpHttpServer extends AnyServer {
  /** `https:`, or `http:` on this machine. */
  readonly url: string
  /** `${NAME}` stands for a variable that `env` grants. */
  readonly headers?: Readonly<Record<string, string>>
}

export type McpServerConfig = McpStdioServer | McpHttpServer

const namePattern = /^[a-zA-Z0-9]+(?:[_-][a-zA-Z0-9]+)*$/
const maxNameLength = 32
const common = {
  env: 'object',
  safety: 'string',
  trustAnnotations: 'boolean',
  isTrusted: 'boolean',
  roots: 'boolean',
  connectTimeoutMs: 'number',
  requestTimeoutMs: 'number',
  idleMs: 'number',
  maxMessageBytes: 'number',
}
const stdioKeys = { ...common, command: 'string', args: 'list', cwd: 'string' }
const httpKeys = { ...common, url: 'string', headers: 'object' }
const classes = ['read_only', 'mutating', 'destructive', 'network']

/** Checks what may come from a file; throws where it cannot be meant. */
export function checkServer(name: string, config: McpServerConfig): void {
  const problem = problemOf(name, config)
  if (problem === undefined) return
  throw new AgentError('invalid-config', `MCP server "${name}" ${problem}.`)
}

function problemOf(name: string, config: unknown): string | undefined {
  if (!namePattern.test(name) || name.length > maxNameLength) {
    return `has a name that tools cannot have; use letters and digits, parted by single _ or -, at most ${maxNameLength}`
  }
  if (!isRecord(config)) return 'is no object'
  const isHttp = 'url' in config
  if (isHttp === 'command' in config) {
    return 'needs either a "command" or a "url"'
  }
  return (
    problemOfKeys(config, isHttp ? httpKeys : stdioKeys) ??
    problemOfParts(config) ??
    (isHttp ? problemOfUrl(String(config['url'])) : undefined)
  )
}

function problemOfKeys(
  config: Record<string, unknown>,
  keys: Readonly<Record<string, string>>,
): string | undefined {
  for (const [key, value] of Object.entries(config)) {
    const kind = Object.hasOwn(keys, key) ? keys[key] : undefined
    if (kind === undefined) {
      return `has the unknown key "${key}"; there are: ${Object.keys(keys).join(', ')}`
    }
    if (value !== undefined && kindOf(value) !== kind) {
      return `has a "${key}" that is no ${kind}`
    }
    const isTime = typeof value === 'number' && !(value > 0)
    if (isTime) return `has a "${key}" that is not above 0`
  }
  return undefined
}

function problemOfParts(config: Record<string, unknown>): string | undefined {
  const { command, args = [], cwd, env = {}, headers = {}, safety } = config
  const isClass = typeof safety === 'string' && classes.includes(safety)
  if (safety !== undefined && !isClass) {
    return `has a "safety" that is none of ${classes.join(', ')}`
  }
  // Their kinds were checked by their keys.
  const { names = [], set = {}, ...more } = env as Record<string, unknown>
  if (Object.keys(more).length > 0) return 'has an "env" with unknown keys'
  if (!isRecord(set)) return 'has an "env.set" that is no object'
  if (!Array.isArray(names)) return 'has an "env.names" that is no list'
  const texts = [
    ...[command ?? '', cwd ?? '', ...(args as unknown[]), ...names],
    ...Object.values(set),
    ...Object.values(headers as object),
  ]
  if (command === '') return 'has an empty "command"'
  if (!texts.every((text) => typeof text === 'string')) {
    return 'has something among its arguments, variables or headers that is no text'
  }
  // The system would throw, or worse, cut it there.
  if (texts.some((text) => text.includes('\0'))) {
    return 'holds a NUL character; take it out'
  }
  return undefined
}

function problemOfUrl(given: string): string | undefined {
  const url = URL.canParse(given) ? new URL(given) : undefined
  if (url === undefined) return 'has a "url" that is none'
  if (url.username !== '' || url.password !== '') {
    return 'has credentials in its "url"; put them into "headers"'
  }
  if (url.protocol === 'https:') return undefined
  if (url.protocol === 'http:' && isLoopback(url.hostname)) return undefined
  return 'must be asked over https:; http: is for this machine alone'
}

function isLoopback(host: string): boolean {
  return /^(localhost|127(\.\d{1,3}){3}|\[::1\])$/.test(host)
}

function kindOf(value: unknown): string {
  if (Array.isArray(value)) return 'list'
  return typeof value
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
