import type { Server } from 'node:http'
import type { ListenOptions, Socket } from 'node:net'
import { HomeError } from './home-error.ts'
import { inTurns } from './in-turns.ts'
import type { TcpListen } from './listen-options.ts'

/** All places where a server listens, and the connections they have. */
export class Listeners {
  readonly #create: (tls: TcpListen['tls']) => Server
  readonly #servers: Server[] = []
  readonly #sockets = new Set<Socket>()

  constructor(create: (tls: TcpListen['tls']) => Server) {
    this.#create = create
  }

  get connections(): number {
    return this.#sockets.size
  }

  async open(at: ListenOptions, tls?: TcpListen['tls']): Promise<Server> {
    const server = this.#create(tls)
    server.on('connection', (socket) => {
      this.#sockets.add(socket)
      socket.once('close', () => this.#sockets.delete(socket))
    })
    await bind(server, at)
    this.#servers.push(server)
    return server
  }

  /** The URL it is reached at. */
  async openTcp(tcp: TcpListen): Promise<string> {
    const { host = '127.0.0.1', port, tls } = tcp
    const server = await this.#openFirst(tcp, host)
    const address = server.address()
    const actual = typeof address === 'object' ? address?.port : port
    const name = host.includes(':') ? `[${host}]` : host
    return `${tls === undefined ? 'http' : 'https'}://${name}:${actual}`
  }

  async #openFirst(
    { port, orNext = false, tls }: TcpListen,
    host: string,
  ): Promise<Server> {
    if (!orNext) return await this.open({ host, port }, tls)
    const last = Math.min(65_535, port + maxNext)
    for (let next = port; next <= last; next++) {
      try {
        return await this.open({ host, port: next }, tls)
      } catch (error) {
        if (!isTaken(error)) throw error
      }
    }
    return await this.open({ host, port: 0 }, tls)
  }

  /** Nobody can connect any more, and who is connected no longer is. */
  async close(): Promise<void> {
    const closed = this.#servers.map(
      (server) => new Promise((resolve) => server.close(resolve)),
    )
    const gone = [...this.#sockets].map(
      (socket) => new Promise((resolve) => socket.once('close', resolve)),
    )
    // What was written still goes out, to whoever reads it.
    await inTurns(this.#sockets, (socket) => socket.destroySoon())
    const timer = setTimeout(() => {
      for (const socket of this.#sockets) socket.destroy()
    }, lastWordMs)
    await Promise.all([...closed, ...gone])
    clearTimeout(timer)
  }
}

const lastWordMs = 500

/** How many ports are tried before any will do. */
const maxNext = 20

function isTaken(error: unknown): boolean {
  return Object(Object(error).cause).code === 'EADDRINUSE'
}

function bind(server: Server, at: ListenOptions): Promise<void> {
  return new Promise((resolve, reject) => {
    const fail = (error: Error) => reject(bindError(error, at))
    server.once('error', fail)
    server.listen(at, () => {
      server.off('error', fail)
      resolve()
    })
  })
}

function bindError(
  error: Error,
  { path, host, port }: ListenOptions,
): HomeError {
  const where = path ?? `${host}:${port}`
  const { code } = Object(error)
  const isTaken = code === 'EADDRINUSE'
  const message = isTaken
    ? `Somebody listens at "${where}" already; end that, or listen elsewhere.`
    : `Nobody can listen at "${where}" (${code}); listen elsewhere.`
  return new HomeError('address-taken', message, { cause: error })
}
