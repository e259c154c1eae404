import { type Right, rights } from './routes.ts'

/** Who asks, as whoever let them in knows them. */
export interface Caller {
  readonly kind: 'user' | 'service'
  readonly id: string
  readonly rights: ReadonlySet<Right>
}

/** Whoever runs the process can do all that it can. */
export const owner: Caller = {
  kind: 'user',
  id: 'owner',
  rights: new Set(rights),
}

/** What a request has beside its input. */
export interface CallContext {
  readonly caller: Caller
  /** Whoever asked has gone, or the daemon stops. */
  readonly signal: AbortSignal
}
