import type {
  WrittenDaemon,
  WrittenListen,
} from '../sections/daemon-section.ts'
import type { DaemonSettings, ListenSettings } from '../settings.ts'
import { firstOfEach, type WrittenBy } from './written.ts'

type PathIn = (file: string, path: string) => string

export function composeDaemon(
  written: readonly WrittenBy<WrittenDaemon>[],
  pathIn: PathIn,
): DaemonSettings {
  const values = written.map(({ value }) => value)
  const { graceMs, logLevel, telemetry } = firstOfEach(values)
  const principals = values.flatMap((one) => one.principals ?? [])
  const byName = new Map(principals.toReversed().map((one) => [one.name, one]))
  return {
    listen: listenOf(written, pathIn),
    principals: [...byName.values()],
    limits: firstOfEach(values.map(({ limits = {} }) => limits)),
    ...(telemetry && { telemetry: { headersEnv: {}, ...telemetry } }),
    // Whoever asks for more care is heard.
    twoPersonRule: values.some((one) => one.twoPersonRule === true),
    approvers: Math.max(1, ...values.map((one) => one.approvers ?? 1)),
    graceMs: graceMs ?? 30_000,
    logLevel: logLevel ?? 'info',
  }
}

function listenOf(
  written: readonly WrittenBy<WrittenDaemon>[],
  pathIn: PathIn,
): ListenSettings {
  const values = written.flatMap(({ value, file }) => {
    const { listen } = value
    return listen === undefined ? [] : [withPaths(listen, file)]
  })
  const { tcp, ...listen } = firstOfEach(values)
  return {
    origins: [],
    hosts: [],
    ...listen,
    ...(tcp === false && { tcp }),
    ...(tcp && { tcp: { host: '127.0.0.1', ...tcp } }),
  }

  function withPaths(listen: WrittenListen, file: string): WrittenListen {
    const { socket, tls } = listen
    return {
      ...listen,
      ...(typeof socket === 'string' && { socket: pathIn(file, socket) }),
      ...(tls && {
        tls: {
          certFile: pathIn(file, tls.certFile),
          keyFile: pathIn(file, tls.keyFile),
        },
      }),
    }
  }
}
