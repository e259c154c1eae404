/** The time of a turn, without the time in which people were waited for. */
export interface TurnClock {
  /** The turn that it is of. */
  readonly turn: string
  /** By wall time. */
  readonly startedAt: number
  readonly waitedMs: number
  /** Who is waited for, and since when anybody is. */
  readonly waits: readonly string[]
  readonly waitsSince: number
}

/** What is kept for a session and all that work for it. */
export interface Clocks {
  readonly clock: TurnClock | null
  /** What turns that have ended took. */
  readonly pastMs: number
}

export const noClocks: Clocks = Object.freeze({ clock: null, pastMs: 0 })

/** How long a turn has been at work. */
export function activeMs(clock: TurnClock, now: number): number {
  const { startedAt, waitedMs, waits, waitsSince } = clock
  const open = waits.length > 0 ? Math.max(0, now - waitsSince) : 0
  return Math.max(0, now - startedAt - waitedMs - open)
}

export function beginTurn(clocks: Clocks, turn: string, now: number): Clocks {
  const clock = { turn, startedAt: now, waitedMs: 0, waits: [], waitsSince: 0 }
  return { ...clocks, clock }
}

/** Only the turn that the clock is of ends it. */
export function endTurnClock(
  { clock, pastMs }: Clocks,
  turn: string,
  now: number,
): Clocks {
  if (clock?.turn !== turn) return { clock, pastMs }
  return { clock: null, pastMs: pastMs + activeMs(clock, now) }
}

export function beginWait(clocks: Clocks, id: string, now: number): Clocks {
  const { clock } = clocks
  if (clock === null || clock.waits.includes(id)) return clocks
  const waitsSince = clock.waits.length === 0 ? now : clock.waitsSince
  const waits = [...clock.waits, id]
  return { ...clocks, clock: { ...clock, waits, waitsSince } }
}

export function endWait(clocks: Clocks, id: string, now: number): Clocks {
  const { clock } = clocks
  if (clock === null || !clock.waits.includes(id)) return clocks
  const waits = clock.waits.filter((one) => one !== id)
  const open = waits.length > 0 ? 0 : Math.max(0, now - clock.waitsSince)
  const waitedMs = clock.waitedMs + open
  return { ...clocks, clock: { ...clock, waits, waitedMs } }
}

/** Who a turn waited for, as others know it. */
export function waitOf(turn: string, id: string): string {
  return `${turn} ${id}`
}

export function endAllWaits(clocks: Clocks, now: number): Clocks {
  const waits = clocks.clock?.waits ?? []
  return waits.reduce((left, one) => endWait(left, one, now), clocks)
}

/** A turn that has ended, such as one that was cancelled, waits for nobody. */
export function endWaitsOf(clocks: Clocks, turn: string, now: number): Clocks {
  const waits = clocks.clock?.waits ?? []
  return waits
    .filter((one) => one.startsWith(waitOf(turn, '')))
    .reduce((left, one) => endWait(left, one, now), clocks)
}
