import { chmodSync } from 'node:fs'
import type { ErrorCode } from '../protocol/errors.ts'
import type { Service } from '../protocol/service.ts'
import { AllowedReaders } from './allowed-readers.ts'
import { type HandlerParts, handleRequest } from './handle-request.ts'
import { Heartbeats } from './heartbeats.ts'
import { createListener } from './http-listener.ts'
import { checkListen, hostsOf, type ListenOptions } from './listen-options.ts'
import { Listeners } from './listeners.ts'
import { Pace } from './pace.ts'
import type { Pages } from './pages.ts'
import { prepareOperations } from './prepared-operation.ts'
import { PrincipalLimits } from './principal-limits.ts'
import type { Tokens } from './principals.ts'
import { BodyBudget } from './read-body.ts'
import { Router } from './router.ts'
import { defaultServerLimits, type ServerLimits } from './server-limits.ts'
import type { ServerLog } from './server-log.ts'
import { clearSocket } from './socket-file.ts'
import { Traffic } from './traffic.ts'

export interface ServerOptions {
  /** What is asked for. */
  readonly service: Service
  readonly tokens: Tokens
  /** What browsers are shown; absent: nothing. */
  readonly pages?: Pages | undefined
  readonly listen: ListenOptions
  readonly limits?: Partial<ServerLimits>
  readonly log: ServerLog
  /** Answers are held to their schemas, too; for tests. Default false. */
  readonly checkAnswers?: boolean
}

export interface Server {
  readonly addresses: { readonly socket?: string; readonly url?: string }
  readonly counts: ServerCounts
  /**
   * Ends it: what is new is refused, streams get a last notice, and what is
   * under way has so long to end.
   */
  close(graceMs?: number): Promise<void>
}

interface ServerCounts {
  readonly connections: number
  /** Under way now, streams apart. */
  readonly requests: number
  readonly streams: number
  /** Of all requests so far. */
  readonly answered: number
  readonly refusals: Readonly<Partial<Record<ErrorCode, number>>>
}

/** Puts HTTP in front of a service. */
export async function startServer(options: ServerOptions): Promise<Server> {
  const { listen, log } = options
  checkListen(listen)
  const limits = { ...defaultServerLimits, ...options.limits }
  const traffic = new Traffic()
  const parts = partsOf(options, limits, traffic)
  const listeners = new Listeners((tls) =>
    createListener((exchange) => handleRequest(parts, exchange), limits, tls),
  )
  const addresses: { socket?: string; url?: string } = {}
  try {
    if (listen.socket !== undefined) {
      await clearSocket(listen.socket)
      await listeners.open({ path: listen.socket })
      chmodSync(listen.socket, 0o600)
      addresses.socket = listen.socket
    }
    if (listen.tcp !== undefined) {
      addresses.url = await listeners.openTcp(listen.tcp)
    }
  } catch (error) {
    await listeners.close()
    throw error
  }
  log.info('server-start', addresses)
  let closing: Promise<void> | undefined
  const close = async (graceMs: number) => {
    await traffic.drain(graceMs)
    await listeners.close()
    log.info('server-end', addresses)
  }
  return {
    addresses,
    get counts() {
      return { connections: listeners.connections, ...traffic.counts }
    },
    close(graceMs = 10_000) {
      closing ??= close(graceMs)
      return closing
    },
  }
}

function partsOf(
  options: ServerOptions,
  limits: ServerLimits,
  traffic: Traffic,
): HandlerParts {
  const { service, listen, tokens, log } = options
  const { origins = [] } = listen
  return {
    service,
    tokens,
    router: new Router(prepareOperations()),
    pages: options.pages,
    senders: { hosts: hostsOf(listen), origins: new Set(origins) },
    limits,
    principals: new PrincipalLimits(limits),
    budget: new BodyBudget(limits.bufferedBytes),
    traffic,
    pace: new Pace(),
    heartbeats: new Heartbeats(limits.heartbeatMs),
    readers: new AllowedReaders(tokens),
    log,
    checkAnswers: options.checkAnswers ?? false,
  }
}
