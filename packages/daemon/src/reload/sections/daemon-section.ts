import {
  type ConfigSection,
  described,
  flag,
  list,
  number,
  object,
  record,
  type Shape,
  text,
  word,
} from '@hookline/agent/config'
import { logLevels } from '../../log/log.ts'
import type {
  DaemonSettings,
  LimitSettings,
  ListenSettings,
  PrincipalSettings,
  TelemetrySettings,
} from '../settings.ts'
import { checked, count, milliseconds, path, variable } from './parts.ts'
import { trustedLayers } from './trusted-layers.ts'

type Some<T> = { readonly [K in keyof T]?: T[K] }

interface WrittenTcp {
  readonly host?: string
  readonly port: number
}

export type WrittenListen = Some<Omit<ListenSettings, 'tcp'>> & {
  readonly tcp?: WrittenTcp | false
}

/** What one file says of the daemon. */
export type WrittenDaemon = Some<
  Omit<DaemonSettings, 'listen' | 'telemetry' | 'principals'>
> & {
  readonly listen?: WrittenListen
  readonly principals?: readonly PrincipalSettings[]
  readonly telemetry?: Some<TelemetrySettings> & { readonly endpoint: string }
}

const socket: Shape<string | false> = {
  schema: { anyOf: [{ type: 'string' }, { const: false }] },
  read(node, reading) {
    if (node.type === 'scalar' && node.value === false) return false
    return path.read(node, reading)
  },
}

const host = text({ pattern: /^[\w.:[\]-]+$/, kind: 'a host', maxLength: 255 })

const port = object<WrittenTcp>(
  { host, port: number({ isWhole: true, min: 0, max: 65_535 }) },
  ['port'],
)

const tcp: Shape<WrittenTcp | false> = {
  schema: { anyOf: [port.schema, { const: false }] },
  read(node, reading) {
    if (node.type === 'scalar' && node.value === false) return false
    return port.read(node, reading)
  },
}

const listen = object<WrittenListen>(
  {
    socket: described(
      socket,
      'A unix socket; default: in the state directory. false: none.',
    ),
    tcp: described(
      tcp,
      'Beside the socket; default host: 127.0.0.1. Every request needs a token. false: no port, and so no inspector.',
    ),
    tls: object<NonNullable<ListenSettings['tls']>>(
      { certFile: path, keyFile: path },
      ['certFile', 'keyFile'],
    ),
    remote: described(
      word(['without-tls']),
      'Lets other machines in without TLS: tokens can be read on the way.',
    ),
    origins: described(
      list(
        checked(text({ maxLength: 2_000 }), (origin) =>
          URL.parse(origin)?.origin === origin
            ? undefined
            : 'An origin is written as https://example.com, without a path.',
        ),
        { max: 100 },
      ),
      'Pages that may ask; default: none but its own.',
    ),
    hosts: described(
      list(host, { max: 100 }),
      'Names that it is reached by, beside those of this machine.',
    ),
  },
  [],
)

const principal = object<PrincipalSettings>(
  {
    name: text({
      pattern: /^[a-z0-9][a-z0-9._@-]{0,99}$/,
      kind: 'a name of small letters, digits and . _ @ -',
      maxLength: 100,
    }),
    kind: word(['user', 'service']),
    rights: list(word(['run', 'approve', 'admin']), { max: 3 }),
    tokenHash: described(
      text({
        pattern: /^[0-9a-f]{64}$/,
        kind: 'a SHA-256 in hexadecimal',
        maxLength: 64,
      }),
      'Of the token, which is never in a file of configuration.',
    ),
  },
  ['name', 'kind', 'rights', 'tokenHash'],
)

const limits = object<LimitSettings>(
  {
    maxConnections: count,
    maxBodyBytes: count,
    requestTimeoutMs: milliseconds,
    headersTimeoutMs: milliseconds,
    maxRequestsPerMinute: count,
    maxStreamsPerCaller: count,
    maxSessions: count,
    maxSessionsPerCaller: described(
      count,
      'How many sessions that one caller has begun are open in this daemon at a time; one that is let go of as it has nothing to do, or has ended anywhere, counts no more. Default: 1000.',
    ),
    maxTurns: count,
  },
  [],
)

const telemetry = object<NonNullable<WrittenDaemon['telemetry']>>(
  {
    endpoint: checked(text({ maxLength: 2_000 }), (endpoint) =>
      /^https?:$/.test(URL.parse(endpoint)?.protocol ?? '')
        ? undefined
        : 'The endpoint of telemetry is an address that begins with http: or https:.',
    ),
    headersEnv: described(
      record(variable, { keys: /^[\w-]{1,100}$/, kind: 'header', max: 20 }),
      'Names of headers, and of the variables that hold their values.',
    ),
    serviceName: text({ maxLength: 100 }),
    metricsIntervalMs: milliseconds,
  },
  ['endpoint'],
)

export const daemonSection: ConfigSection<WrittenDaemon> = {
  name: 'daemon',
  layers: trustedLayers,
  shape: described(
    object<WrittenDaemon>(
      {
        listen: described(listen, 'Where it is reached.'),
        principals: described(
          list(principal, { max: 1_000 }),
          'Who may use it, beside whoever owns the state directory.',
        ),
        limits: described(limits, 'How much it takes at once.'),
        telemetry: described(
          telemetry,
          'An OpenTelemetry collector; default: none.',
        ),
        twoPersonRule: described(
          flag,
          'Who asked for a call cannot be who agrees to it; default: false.',
        ),
        approvers: described(
          number({ isWhole: true, min: 1, max: 2 }),
          'How many people have to agree to a call, 1 or 2; of two, none is who asked for it. Default: 1.',
        ),
        graceMs: described(
          milliseconds,
          'How long turns may take to end when it stops; default 30 s.',
        ),
        logLevel: word(logLevels),
      },
      [],
    ),
    'How the daemon runs.',
  ),
}
