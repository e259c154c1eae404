import type { PolicyOptions, ProviderConfig } from '@hookline/agent'
import type { ContentLevels } from '@hookline/agent/durable'
import type { McpServerConfig } from '@hookline/agent/plugins'
import type { AgentConfig } from 'hookline/lifecycle'
import type { LogLevel } from '../log/log.ts'

/** What the files of all layers say beside their hooks, with all defaults. */
export interface Settings {
  /** The first one is whom people speak to who do not name one. */
  readonly agents: readonly AgentConfig[]
  readonly models: ModelSettings
  readonly policy: PolicySettings
  readonly plugins: PluginSettings
  readonly store: StoreSettings
  readonly daemon: DaemonSettings
}

/** Without either, what writes has to be asked for. */
export interface PolicySettings {
  /** What nobody below can widen. */
  readonly managed?: PolicyOptions
  readonly own?: PolicyOptions
}

export interface ModelSettings {
  /** Of agents that name none; absent: there is none. */
  readonly default?: string
  readonly providers: Readonly<Record<string, ProviderConfig>>
}

/** What agents have; absent: without it. All paths are absolute. */
export interface PluginSettings {
  readonly os?: {
    readonly hasShell?: boolean
    readonly env?: readonly string[]
    readonly protectedPaths?: readonly string[]
    readonly allowProtected?: readonly string[]
  }
  readonly skills?: {
    readonly roots: readonly string[]
    readonly watch?: boolean
    readonly toolAliases?: Readonly<Record<string, string>>
  }
  readonly memory?: {
    /** Names of models; absent: rules. */
    readonly classifier?: string
    readonly extractor?: string | false
    readonly recallDeadlineMs?: number
    readonly maxRecallChars?: number
    readonly maxTextChars?: number
  }
  readonly mcp?: {
    readonly servers: Readonly<Record<string, McpServerConfig>>
    readonly newTools?: 'report' | 'withhold'
    readonly patienceMs?: number
  }
  readonly delegate?: {
    readonly maxTasks?: number
    readonly mayDescribe?: boolean
  }
  readonly askUser?: { readonly reconnectMs?: number }
}

export interface StoreSettings {
  /** An absolute path; absent where `urlEnv` is there. */
  readonly file?: string
  /** The variable with the address of a Postgres. */
  readonly urlEnv?: string
  /** Of the tables in it; default `hookline`. */
  readonly schema?: string
  readonly content: ContentLevels
  /** What is older is removed, by kind; what is not named is kept. */
  readonly retentionDays: RetentionDays
  /** What signs audit records and approvals. */
  readonly key?: KeySource
  /** What encrypts payloads: 32 bytes in base64; the first one writes. */
  readonly payloadKeys: readonly PayloadKeySource[]
  /** Also reads payloads from before there were keys. */
  readonly readsPlain?: boolean
  /** Whether whoever records something for the audit log is told if it is lost. */
  readonly isAuditRequired: boolean
}

const retentionKinds = [
  'payloads',
  'calls',
  'turns',
  'sessions',
  'runContent',
  'runs',
  'approvals',
  'jobs',
  'cells',
  'audit',
  'removals',
  'events',
  'inbox',
  'firings',
  'emitted',
  'wakes',
] as const

export type RetentionDays = Readonly<
  Partial<Record<(typeof retentionKinds)[number], number>>
>

/** Where a key is: it is never in a file of configuration itself. */
export type KeySource = { readonly file: string } | { readonly env: string }

type PayloadKeySource = KeySource & { readonly id: string }

export interface DaemonSettings {
  readonly listen: ListenSettings
  readonly principals: readonly PrincipalSettings[]
  readonly limits: LimitSettings
  readonly telemetry?: TelemetrySettings
  /** Who asked for a call cannot be who agrees to it. */
  readonly twoPersonRule: boolean
  /** How many people have to agree to a call: 1 or 2. */
  readonly approvers: number
  /** How long turns may take to end when the daemon stops. */
  readonly graceMs: number
  readonly logLevel: LogLevel
}

export interface ListenSettings {
  /** Default: in the home; false: none. */
  readonly socket?: string | false
  /** Default: where the inspector is wanted, on this machine; false: none. */
  readonly tcp?: { readonly host: string; readonly port: number } | false
  readonly tls?: { readonly certFile: string; readonly keyFile: string }
  /** The word that lets others than this machine in without TLS. */
  readonly remote?: 'without-tls'
  /** Pages that may ask, by their origins. */
  readonly origins: readonly string[]
  /** Names that the daemon is reached by, beside those of this machine. */
  readonly hosts: readonly string[]
}

/** Somebody who may use the daemon; the token is known by its hash alone. */
export interface PrincipalSettings {
  readonly name: string
  readonly kind: 'user' | 'service'
  readonly rights: readonly ('run' | 'approve' | 'admin')[]
  /** SHA-256 of the token, in hexadecimal. */
  readonly tokenHash: string
}

const limitNames = [
  'maxConnections',
  'maxBodyBytes',
  'requestTimeoutMs',
  'headersTimeoutMs',
  'maxRequestsPerMinute',
  'maxStreamsPerCaller',
  'maxSessions',
  'maxSessionsPerCaller',
  'maxTurns',
] as const

/** Absent: as whoever keeps it says. */
export type LimitSettings = Readonly<
  Partial<Record<(typeof limitNames)[number], number>>
>

export interface TelemetrySettings {
  /** A collector that speaks OTLP over HTTP. */
  readonly endpoint: string
  /** Names of headers, and of the variables with their values. */
  readonly headersEnv: Readonly<Record<string, string>>
  readonly serviceName?: string
  readonly metricsIntervalMs?: number
}
