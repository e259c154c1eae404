import { buildEnv } from '../../handlers.ts'
import { fingerprint } from './fingerprint.ts'
import type {
  McpHttpServer,
  McpServerConfig,
  McpStdioServer,
} from './server-config.ts'

export interface Environment {
  readonly [name: string]: string | undefined
}

interface Resolved {
  /** Of everything, credentials included; never shown. */
  readonly fingerprint: string
  readonly roots: readonly string[] | undefined
  readonly connectTimeoutMs: number
  readonly requestTimeoutMs: number
  readonly idleMs: number
  readonly maxMessageBytes: number
  /** What must not be in anything that is told. */
  readonly secrets: readonly string[]
}

/** A server as it is started or asked: all variables have their values. */
export type ResolvedServer = Resolved &
  (
    | {
        readonly kind: 'stdio'
        readonly command: string
        readonly args: readonly string[]
        readonly env: Readonly<Record<string, string>>
        readonly cwd: string
      }
    | {
        readonly kind: 'http'
        readonly url: string
        readonly headers: Readonly<Record<string, string>>
      }
  )

/** A variable that a server needs is not there; the message says which. */
export class UnresolvedServer extends Error {}

/**
 * Fills in variables as they are now, so that a credential that has changed
 * makes another server.
 */
export function resolveServer(
  config: McpServerConfig,
  { source, cwd }: { source: Environment; cwd: string | undefined },
): ResolvedServer {
  const limits = {
    roots: config.roots && cwd !== undefined ? [cwd] : undefined,
    connectTimeoutMs: config.connectTimeoutMs ?? 20_000,
    requestTimeoutMs: config.requestTimeoutMs ?? 60_000,
    idleMs: config.idleMs ?? 600_000,
    maxMessageBytes: config.maxMessageBytes ?? 4_194_304,
  }
  const way =
    'url' in config ? resolveHttp(config, source) : resolveStdio(config, source)
  const { secrets, ...rest } = way
  const hash = fingerprint({ ...rest, ...limits })
  return { ...rest, ...limits, secrets, fingerprint: hash }
}

/** Of what the operator has written, without the values of variables. */
export function writtenFingerprint(config: McpServerConfig): string {
  const { env = {}, ...rest } = config
  const names = [...(env.names ?? []), ...Object.keys(env.set ?? {})]
  return fingerprint({ ...rest, env: names.sort() }).slice(0, 32)
}

function resolveStdio(config: McpStdioServer, source: Environment) {
  const { command, args = [], env: grants = {}, cwd } = config
  const { names = [], set = {} } = grants
  const { env, dropped } = buildEnv(source, { names, setEnv: set })
  if (dropped.length > 0) {
    const which = dropped.join(', ')
    throw new UnresolvedServer(
      `The variable ${which} decides what code programs run, and is not handed on; take it out of "env".`,
    )
  }
  const missing = names.filter((name) => env[name] === undefined)
  if (missing.length > 0) throw notSet(missing)
  const given = [...names, ...Object.keys(set)]
  return {
    kind: 'stdio' as const,
    command,
    args,
    env,
    cwd: cwd ?? process.cwd(),
    secrets: given
      .filter((name) => isSecret(name, env[name] ?? ''))
      .map((name) => env[name] ?? ''),
  }
}

function resolveHttp(config: McpHttpServer, source: Environment) {
  const { names = [], set = {} } = config.env ?? {}
  const granted = new Map(Object.entries(set))
  for (const name of names) {
    const value = source[name]
    if (value !== undefined) granted.set(name, value)
  }
  const used = new Set<string>()
  const fill = (text: string) =>
    text.replace(/\$\{([A-Za-z_][A-Za-z0-9_]*)\}/g, (_, name: string) => {
      const value = granted.get(name)
      if (value === undefined) throw notSet([name])
      used.add(value)
      return value
    })
  const headers: Record<string, string> = {}
  for (const [name, text] of Object.entries(config.headers ?? {})) {
    headers[name] = fill(text)
  }
  const secrets = [...used, ...Object.values(headers)]
  return {
    kind: 'http' as const,
    url: config.url,
    headers,
    secrets: secrets.filter((value) => value.length >= shortestSecret),
  }
}

function notSet(names: readonly string[]): UnresolvedServer {
  const which = names.join(', ')
  return new UnresolvedServer(
    `The variable ${which} is not set, or not granted; set it, and name it in "env".`,
  )
}

const shortestSecret = 8

const secretName = /token|key|secret|pass|auth|cred|cookie|private|dsn/i

/** By its name, or a value like a key; a folder or a plain word is none. */
function isSecret(name: string, value: string): boolean {
  if (value.length < shortestSecret) return false
  if (secretName.test(name)) return true
  return !/[\s/\\]/.test(value) && /\d/.test(value) && /[a-zA-Z]/.test(value)
}
