import { StoreError } from './store-error.ts'

/**
 * Where a process is to break, by the name of the place, as
 * `session.append:before-commit`. Data, so that it reaches other threads and
 * other processes.
 */
export type Failpoints = Readonly<Record<string, Failpoint>>

export interface Failpoint {
  /** The how many-th time it is passed. Default: the first. */
  readonly hit?: number
  /** `kill` ends the process as `kill -9` does. */
  readonly do: 'kill' | 'throw' | 'stall'
  /** How long a stall takes. Default: a minute. */
  readonly stallMs?: number
}

/** The places that every unit passes, in their order. */
export type UnitMoment =
  | 'before-write'
  | 'before-commit'
  | 'after-commit'
  | 'before-notify'

/** What is to happen now at this place; usually nothing. */
export type Hit = (place: string) => Failpoint | undefined

/** Undefined without failpoints, so that nobody pays for them. */
export function countHits(failpoints: Failpoints | undefined): Hit | undefined {
  if (failpoints === undefined || Object.keys(failpoints).length === 0) {
    return undefined
  }
  const passed = new Map<string, number>()
  return (place) => {
    const failpoint = failpoints[place]
    if (failpoint === undefined) return undefined
    const count = (passed.get(place) ?? 0) + 1
    passed.set(place, count)
    return count === (failpoint.hit ?? 1) ? failpoint : undefined
  }
}

/** Passes a place on a thread that may be blocked. */
export function passBlocking(hit: Hit | undefined, place: string): void {
  const failpoint = hit?.(place)
  if (failpoint === undefined) return
  if (failpoint.do === 'stall') {
    Atomics.wait(
      new Int32Array(new SharedArrayBuffer(4)),
      0,
      0,
      stallOf(failpoint),
    )
    return
  }
  breakAt(place, failpoint)
}

/** Passes a place: for drivers that wait, and for `after-effect` elsewhere. */
export async function pass(hit: Hit | undefined, place: string): Promise<void> {
  const failpoint = hit?.(place)
  if (failpoint === undefined) return
  if (failpoint.do === 'stall') {
    await new Promise((done) => setTimeout(done, stallOf(failpoint)))
    return
  }
  breakAt(place, failpoint)
}

function stallOf({ stallMs = 60_000 }: Failpoint): number {
  return stallMs
}

function breakAt(place: string, failpoint: Failpoint): void {
  if (failpoint.do === 'throw') {
    throw new StoreError('unavailable', `The failpoint "${place}" was hit.`)
  }
  process.kill(process.pid, 'SIGKILL')
  // The signal takes a moment to arrive; nothing may happen meanwhile.
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0)
}
