import { readFile } from 'node:fs/promises'
import { connectionsWithin } from './open-files.ts'
import type { Settings } from './reload/settings.ts'
import { WorkspaceError } from './reload/workspace-error.ts'
import type { Home } from './server/home.ts'
import type { ListenOptions, TcpListen } from './server/listen-options.ts'
import {
  defaultServerLimits,
  type ServerLimits,
} from './server/server-limits.ts'

/** For browsers, which know no sockets. */
const inspectorPort = 4665

interface Wishes {
  readonly tcp?: TcpListen | undefined
  readonly inspector?: boolean | undefined
}

/** Where a daemon is reached: by the settings, or as whoever starts it says. */
export async function listenOf(
  home: Home,
  { daemon: { listen } }: Settings,
  { tcp: given, inspector = false }: Wishes,
): Promise<ListenOptions> {
  const { socket = home.socket, hosts, origins } = listen
  const isFree = inspector && listen.tcp === undefined
  const usual = { port: inspectorPort, orNext: true }
  const tcp = given ?? (isFree ? usual : await tcpOf(listen))
  return {
    ...(socket !== false && { socket }),
    ...(tcp && { tcp }),
    hosts,
    origins,
  }
}

type Listen = Settings['daemon']['listen']

async function tcpOf(listen: Listen): Promise<TcpListen | undefined> {
  const { tcp, tls, remote } = listen
  if (tcp === undefined || tcp === false) return undefined
  return {
    ...tcp,
    ...(remote && { remote }),
    ...(tls && {
      tls: {
        cert: await readPem(tls.certFile),
        key: await readPem(tls.keyFile),
      },
    }),
  }
}

async function readPem(file: string): Promise<string> {
  try {
    return await readFile(file, 'utf8')
  } catch (error) {
    const message = `"${file}" cannot be read; see whether the file is there and ours, or correct daemon.listen.tls.`
    throw new WorkspaceError('invalid-key', message, error)
  }
}

/** What the settings say of the server's limits; the rest is its own. */
export function limitsOf({ daemon }: Settings): Partial<ServerLimits> {
  const { limits } = daemon
  const perSecond = (limits.maxRequestsPerMinute ?? 0) / 60
  const wanted: {
    [Name in keyof ServerLimits]?: ServerLimits[Name] | undefined
  } = {
    connections: Math.min(
      limits.maxConnections ?? defaultServerLimits.connections,
      connectionsWithin(),
    ),
    bodyBytes: limits.maxBodyBytes,
    requestTimeoutMs: limits.requestTimeoutMs,
    headersTimeoutMs: limits.headersTimeoutMs,
    rate: perSecond === 0 ? undefined : perSecond,
    streams: limits.maxStreamsPerCaller,
  }
  const given = Object.entries(wanted).filter(
    ([, value]) => value !== undefined,
  )
  return Object.fromEntries(given)
}
