import { HomeError } from './home-error.ts'

export interface TcpListen {
  /** 0: any that is free. */
  readonly port: number
  /** Where the port is taken, the next one that is free will do. */
  readonly orNext?: boolean
  /** Default 127.0.0.1. Any but a loopback address needs `tls` or `remote`. */
  readonly host?: string
  /** Both as PEM. */
  readonly tls?: { readonly cert: string; readonly key: string }
  /** Tokens may go over the network as they are. */
  readonly remote?: 'without-tls'
}

/** Where a server is reached: a unix socket, a port, or both. */
export interface ListenOptions {
  readonly socket?: string
  readonly tcp?: TcpListen
  /** Further names that clients call it by. */
  readonly hosts?: readonly string[]
  /** Pages that may use it, such as "http://localhost:5173". */
  readonly origins?: readonly string[]
}

/** Throws unless every step towards the open was asked for by its name. */
export function checkListen({ socket, tcp }: ListenOptions): void {
  if (socket === undefined && tcp === undefined) {
    const message =
      'The daemon has nowhere to listen; give daemon.listen a socket or a port.'
    throw new HomeError('unsafe-listen', message)
  }
  if (tcp === undefined || isLoopback(tcp.host ?? '127.0.0.1')) return
  if (tcp.tls !== undefined || tcp.remote === 'without-tls') return
  const message = `"${tcp.host}" can be reached from other machines, and tokens could be read on the way; listen on 127.0.0.1, name a certificate and its key in daemon.listen.tls, or set daemon.listen.remote to "without-tls".`
  throw new HomeError('unsafe-listen', message)
}

/** Only what is an address: where a name leads can change. */
function isLoopback(host: string): boolean {
  return host === '::1' || /^127\.\d{1,3}\.\d{1,3}\.\d{1,3}$/.test(host)
}

/** The names that clients may call the server by, for the header "host". */
export function hostsOf({ tcp, hosts = [] }: ListenOptions): Set<string> {
  const bound = tcp?.host ?? '127.0.0.1'
  const isEverywhere = bound === '0.0.0.0' || bound === '::'
  const own = bound.includes(':') ? `[${bound}]` : bound
  return new Set(
    [
      'localhost',
      '127.0.0.1',
      '[::1]',
      ...(isEverywhere ? [] : [own]),
      ...hosts,
    ].map((name) => name.toLowerCase()),
  )
}
