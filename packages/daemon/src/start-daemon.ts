import { join } from 'node:path'
import { systemClock } from 'hookline'
import { limitsOf, listenOf } from './daemon-listen.ts'
import { infoOf } from './daemon-state.ts'
import { tokensOf } from './daemon-tokens.ts'
import { createOperations } from './operations/create-operations.ts'
import { owner } from './protocol/caller.ts'
import type { Client } from './protocol/client.ts'
import { ProtocolError } from './protocol/errors.ts'
import { createLocalClient } from './protocol/local-client.ts'
import { makeOpenApi } from './protocol/openapi.ts'
import type { OutputOf } from './protocol/operations.ts'
import type { Service } from './protocol/service.ts'
import { createReadiness } from './readiness.ts'
import { inspectOwn } from './reload/new-hooks.ts'
import { openWorkspace } from './reload/open-workspace.ts'
import { RunningHooks } from './reload/quarantine/running-hooks.ts'
import { fromVariable } from './reload/read-key.ts'
import type { Workspace, WorkspaceOptions } from './reload/workspace.ts'
import { openHome } from './server/home.ts'
import type { TcpListen } from './server/listen-options.ts'
import { Logins } from './server/logins.ts'
import { readPages } from './server/pages.ts'
import { type Server, startServer } from './server/start-server.ts'
import { createSessionHost } from './sessions/create-session-host.ts'
import { within } from './sessions/within.ts'
import { createMetrics } from './telemetry/daemon-metrics.ts'
import { startTelemetry } from './telemetry/start-telemetry.ts'
import { UndoList } from './undo-list.ts'
import { hooklineVersion } from './version.ts'

export interface DaemonOptions extends WorkspaceOptions {
  /** In place of what the configuration says. */
  readonly tcp?: TcpListen
  /** Browsers can reach it, on this machine, unless the configuration says how. */
  readonly inspector?: boolean
  /** For this process alone: nobody else can reach it. */
  readonly isEmbedded?: boolean
  /** How long a hook may hold up the process before that is ended. Default: 30 s. */
  readonly stallMs?: number
  /** How long turns may take to end; default: as the configuration says. */
  readonly graceMs?: number
  /** Somebody has asked it to stop, by the protocol. */
  readonly onShutdown?: (graceMs: number) => void
}

/** Agents as a service, and how to reach them. */
export interface Daemon {
  /** With all rights. */
  readonly client: Client
  readonly addresses: Server['addresses']
  readonly workspace: Workspace
  /** Turns may end; what is left goes on elsewhere, or later. */
  close(options?: { readonly graceMs?: number }): Promise<void>
}

export async function startDaemon(
  options: DaemonOptions = {},
): Promise<Daemon> {
  const opened = new UndoList()
  try {
    return await start(options, opened)
  } catch (error) {
    await opened.close()
    throw error
  }
}

async function start(
  options: DaemonOptions,
  opened: UndoList,
): Promise<Daemon> {
  const { isEmbedded = false, takesOver = true, home: path } = options
  const home = await openHome(path === undefined ? {} : { path })
  if (!isEmbedded) {
    const lock = await home.lock()
    opened.add(() => lock.release())
  }
  const running = isEmbedded ? undefined : openRunning(home.path, options)
  if (running !== undefined) opened.add(() => running.close())
  const workspace = await openWorkspace({
    ...options,
    home: home.path,
    ...(running !== undefined && { running }),
  })
  opened.add(() => workspace.close())
  const { settings, log } = workspace
  if (home.socketNote !== undefined && !isEmbedded) {
    log.info('socket-moved', { socket: home.socket, why: home.socketNote })
  }
  tellNew(workspace)
  const host = createSessionHost(workspace, { takesOver })
  opened.add(() => host.close())
  await openTelemetry(workspace, opened)
  const listen = await listenOf(home, settings, options)
  const pages = listen.tcp && !isEmbedded ? await readPages() : undefined
  let server: Server | undefined
  const url = () => pages && server?.addresses.url
  const tokens = new Logins({
    tokens: tokensOf(home, () => workspace.settings),
    url,
    log,
  })
  const service = {
    ...serviceOf(workspace, host, { ...options, url }, opened),
    ...tokens.service,
  }
  if (!isEmbedded) {
    const limits = limitsOf(settings)
    server = await startServer({ service, tokens, pages, listen, limits, log })
  }
  let closing: Promise<void> | undefined
  const close = async (graceMs: number) => {
    try {
      const { clock } = options
      const ended = endTurns({ host, server, clock, graceMs })
      // Turns that are cut off pass hooks on their way out.
      await workspace.endInTime(ended, graceMs)
    } finally {
      await opened.close()
    }
  }
  return {
    client: createLocalClient(service, owner),
    addresses: server?.addresses ?? {},
    workspace,
    close({ graceMs = graceOf(workspace, options) } = {}) {
      closing ??= close(graceMs)
      return closing
    },
  }
}

interface Ending {
  readonly host: Host
  readonly server: Server | undefined
  readonly clock: DaemonOptions['clock']
  readonly graceMs: number
}

/**
 * Whoever has to do with a turn that still runs reaches it: to see how it
 * ends, to answer what it waits for, or to cancel it.
 */
async function endTurns(ending: Ending): Promise<void> {
  const { host, server, clock = systemClock, graceMs } = ending
  const endMs = clock.now() + graceMs
  const drained = host.drain(graceMs)
  await within(clock, graceMs, drained)
  const leftMs = Math.max(0, endMs - clock.now())
  await Promise.all([server?.close(leftMs), drained])
}

/** What counts where nobody says how long. */
function graceOf({ settings }: Workspace, { graceMs }: DaemonOptions): number {
  return graceMs ?? settings.daemon.graceMs
}

/** Whoever has the lock of a home is the only one to write there. */
function openRunning(home: string, { stallMs }: DaemonOptions): RunningHooks {
  return new RunningHooks(join(home, 'running-hooks'), stallMs)
}

type Host = ReturnType<typeof createSessionHost>

interface ServiceOptions extends DaemonOptions {
  /** Of the pages, once they are there. */
  readonly url: () => string | undefined
}

function serviceOf(
  workspace: Workspace,
  host: Host,
  options: ServiceOptions,
  opened: UndoList,
): Omit<Service, 'createLogin' | 'login' | 'logout'> {
  const { onShutdown, clock = systemClock, url } = options
  const metrics = createMetrics(workspace.runtime, () => host.counts)
  opened.add(() => metrics.close())
  const startedAt = Date.now()
  const version = hooklineVersion()
  let described: ReturnType<typeof makeOpenApi> | undefined
  return {
    ...createOperations(workspace),
    ...host.service,
    health: () => ({ status: 'ok', version }),
    ready: createReadiness(workspace, {
      clock,
      isStopping: () => host.isDraining,
    }),
    info: (_, { caller }): OutputOf<'info'> =>
      infoOf(workspace, caller, {
        startedAt,
        counts: host.counts,
        url: url(),
      }),
    metrics: () => metrics.text(),
    openapi() {
      described ??= makeOpenApi(version)
      return described
    },
    shutdown({ graceMs = graceOf(workspace, options) }) {
      if (host.isDraining) {
        const message = `The daemon stops already, when its turns have ended; to end it now: kill ${process.pid}`
        throw new ProtocolError('shutting-down', message)
      }
      // Whoever asks is answered first.
      setImmediate(() => onShutdown?.(graceMs))
      return { ok: true, graceMs }
    },
  }
}

/** What somebody may have put among the user's own hooks is on record. */
function tellNew(workspace: Workspace): void {
  const { items } = inspectOwn(workspace)
  const hooks = items
    .filter(({ isNew }) => isNew)
    .map(({ name, hash }) => ({ name, hash }))
  if (hooks.length > 0) workspace.log.warn('hooks-new', { hooks })
}

/** Only where the settings say so. */
async function openTelemetry(
  { settings, runtime }: Workspace,
  opened: UndoList,
): Promise<void> {
  const { telemetry: wanted } = settings.daemon
  if (wanted === undefined) return
  const { headersEnv, ...options } = wanted
  const headers = Object.fromEntries(
    Object.entries(headersEnv).map(([name, variable]) => {
      return [name, fromVariable(variable, process.env)]
    }),
  )
  const telemetry = await startTelemetry(runtime, { ...options, headers })
  opened.add(() => telemetry.close())
}
