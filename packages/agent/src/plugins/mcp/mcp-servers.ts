import type { Clock } from 'hookline'
import type { ClientPackage } from './client-package.ts'
import { Unreachable } from './failures.ts'
import { createRedact, type Redact } from './redact.ts'
import {
  type Environment,
  type ResolvedServer,
  resolveServer,
  UnresolvedServer,
  writtenFingerprint,
} from './resolve-server.ts'
import type { McpServerConfig } from './server-config.ts'
import type { AskUser } from './server-requests.ts'
import { type ServerState, SharedServer } from './shared-server.ts'
import type { PinnedServer } from './tool-approval.ts'

/** How a server is; without anything that must not be told. */
export interface McpServerStatus extends ServerState {
  readonly server: string
  /** How many agents may use it. */
  readonly agents: number
  /** How many requests are on their way. */
  readonly calls: number
  readonly pid?: number
}

export interface McpServersParts {
  readonly configs: ReadonlyMap<string, McpServerConfig>
  readonly source: Environment
  readonly clock: Clock
  readonly load: () => Promise<ClientPackage>
  readonly askUser: AskUser | undefined
  /** How many agents may use a server. */
  readonly agentsOf: (server: string) => number
  readonly onStatus: (status: McpServerStatus) => void
}

/** A server by the name that an agent knows. */
export interface NamedServer {
  readonly name: string
  readonly config: McpServerConfig
  readonly resolved: ResolvedServer
  readonly shared: SharedServer
  readonly redact: Redact
  readonly pinned: PinnedServer
}

interface Entry {
  readonly shared: SharedServer
  /** Under which names it is configured. */
  readonly names: Set<string>
  readonly redact: Redact
}

/** All servers, one for each configuration, whoever uses it. */
export class McpServers {
  readonly #parts: McpServersParts
  readonly #entries = new Map<string, Entry>()
  readonly #keys: ReadonlyMap<string, string>
  /** Servers that lack a variable, and which. */
  readonly #unresolved = new Map<string, string>()
  #isDisposed = false

  constructor(parts: McpServersParts) {
    this.#parts = parts
    this.#keys = new Map(
      [...parts.configs].map(([name, config]) => [
        name,
        `${name}@${writtenFingerprint(config)}`,
      ]),
    )
  }

  /** Throws `Unreachable` where a variable that it needs is missing. */
  get(name: string, cwd: string | undefined): NamedServer {
    const config = this.#parts.configs.get(name)
    if (config === undefined) throw new Unreachable('There is no such server.')
    if (this.#isDisposed) throw new Unreachable('The runtime was closed.')
    const resolved = this.#resolve(name, config, cwd)
    const entry = this.#entryOf(resolved)
    entry.names.add(name)
    const { shared, redact } = entry
    return {
      name,
      config,
      resolved,
      shared,
      redact,
      pinned: this.pinnedAs(name),
    }
  }

  pinnedAs(name: string): PinnedServer {
    return { name, key: this.#keys.get(name) ?? name }
  }

  /** Of every name, and where there are several servers for it, of each. */
  status(): readonly McpServerStatus[] {
    return [...this.#parts.configs.keys()].flatMap((name) => {
      const own = [...this.#entries.values()].filter(({ names }) =>
        names.has(name),
      )
      if (own.length > 0) return own.map((entry) => this.#statusOf(name, entry))
      const agents = this.#parts.agentsOf(name)
      const reason = this.#unresolved.get(name)
      const state = reason === undefined ? 'stopped' : 'failed'
      const why = reason === undefined ? {} : { reason }
      return [{ server: name, state, ...why, agents, calls: 0 }]
    })
  }

  /** The end of what a server has printed beside its messages. */
  stderrOf(name: string): string {
    return [...this.#entries.values()]
      .filter(({ names }) => names.has(name))
      .map(({ shared, redact }) => redact(shared.stderr))
      .join('\n')
  }

  /** Stops what no agent may use any more. */
  async release(): Promise<void> {
    const unused = [...this.#entries.values()].filter(({ names }) =>
      [...names].every((name) => this.#parts.agentsOf(name) === 0),
    )
    await Promise.all(
      unused.map(({ shared }) => shared.stop('No agent may use it any more.')),
    )
  }

  async dispose(): Promise<void> {
    this.#isDisposed = true
    const all = [...this.#entries.values()]
    await Promise.all(
      all.map(({ shared }) => shared.retire('The runtime was closed.')),
    )
  }

  #resolve(name: string, config: McpServerConfig, cwd: string | undefined) {
    try {
      const { source } = this.#parts
      const resolved = resolveServer(config, { source, cwd })
      this.#unresolved.delete(name)
      return resolved
    } catch (error) {
      if (!(error instanceof UnresolvedServer)) throw error
      const { onStatus, agentsOf } = this.#parts
      const reason = error.message
      this.#unresolved.set(name, reason)
      const agents = agentsOf(name)
      onStatus({ server: name, state: 'failed', reason, agents, calls: 0 })
      throw new Unreachable(reason)
    }
  }

  #entryOf(resolved: ResolvedServer): Entry {
    const { fingerprint } = resolved
    const known = this.#entries.get(fingerprint)
    if (known !== undefined) return known
    const { clock, load, askUser } = this.#parts
    const shared: SharedServer = new SharedServer(resolved, {
      ...{ clock, load, askUser },
      onState: () => this.#tell(entry),
      // Whoever needs it again makes it anew.
      onUnused: () => void this.#entries.delete(fingerprint),
    })
    const redact = createRedact(resolved.secrets)
    const entry: Entry = { shared, names: new Set(), redact }
    this.#entries.set(fingerprint, entry)
    return entry
  }

  #tell(entry: Entry): void {
    for (const name of entry.names) {
      this.#parts.onStatus(this.#statusOf(name, entry))
    }
  }

  #statusOf(name: string, { shared, redact }: Entry): McpServerStatus {
    const { state, reason } = shared.state
    const { pid } = shared
    return {
      server: name,
      state,
      ...(reason !== undefined && { reason: redact(reason) }),
      agents: this.#parts.agentsOf(name),
      calls: shared.calls,
      ...(pid !== undefined && { pid }),
    }
  }
}
