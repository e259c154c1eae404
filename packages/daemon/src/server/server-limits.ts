import type { OperationName } from '../protocol/routes.ts'

/** How much of everything the server bears. */
export interface ServerLimits {
  /** All headers of a request; default 16 KiB. */
  readonly headerBytes: number
  /** How long its headers may take; default 10 s. */
  readonly headersTimeoutMs: number
  /** How long all of it may take to come in; default 30 s. */
  readonly requestTimeoutMs: number
  /** How long a connection may be open without a request; default 30 s. */
  readonly keepAliveMs: number
  /** How often slow requests are looked for; default 1 s. */
  readonly checkMs: number
  /** Of one listener; default 2 000. */
  readonly connections: number
  /** Of one connection that are under way at once; default 8. */
  readonly pipelined: number
  /** Of a body; default 1 MiB. */
  readonly bodyBytes: number
  /** Of the bodies of operations that take more. */
  readonly bodyBytesOf: Readonly<Partial<Record<OperationName, number>>>
  /** Of all bodies that are being read; default 256 MiB. */
  readonly bufferedBytes: number
  /** Of one principal that are under way at once, streams apart; default 512. */
  readonly concurrent: number
  /** Streams of one principal; default 1 000. */
  readonly streams: number
  /** Requests of one principal in a second, in the long run; default 2 000. */
  readonly rate: number
  /** How many of them may come at once; default 4 000. */
  readonly burst: number
  /** How often a stream says that it lives; default 15 s. */
  readonly heartbeatMs: number
  /** How long whoever reads a stream may take nothing; default 60 s. */
  readonly stalledMs: number
}

const mebibyte = 1_048_576

export const defaultServerLimits: ServerLimits = {
  headerBytes: 16_384,
  headersTimeoutMs: 10_000,
  requestTimeoutMs: 30_000,
  keepAliveMs: 30_000,
  checkMs: 1_000,
  connections: 2_000,
  pipelined: 8,
  bodyBytes: mebibyte,
  bodyBytesOf: {
    // Anybody may send one: what is held for them takes nobody's place.
    login: 4_096,
    send: 16 * mebibyte,
    steer: 16 * mebibyte,
    // Its input is a text that may grow when it is written as JSON.
    bridge: 80 * mebibyte,
  },
  bufferedBytes: 256 * mebibyte,
  concurrent: 512,
  streams: 1_000,
  rate: 2_000,
  burst: 4_000,
  heartbeatMs: 15_000,
  stalledMs: 60_000,
}
