import type { LimitSettings } from '../reload/settings.ts'

/** How a host goes about its sessions; everything has a default. */
export interface SessionHostOptions {
  /** What one caller may have at a time; default: as the settings say. */
  readonly limits?: Partial<CallerLimits>
  /** How many sessions are open here, and turns run here, at a time. */
  readonly maxSessions?: number
  readonly maxTurns?: number
  /** How many sessions stay open here with nothing to do. */
  readonly maxIdle?: number
  /** How long they do; on a store that others share not at all. */
  readonly idleMs?: number
  /** How long a turn waits here for people; then anybody goes on with it. */
  readonly waitMs?: number
  /** Whether sessions that nobody has are looked for. Default: true. */
  readonly takesOver?: boolean
  /** How many turns of sessions that nobody has are begun at a time. */
  readonly takeAtOnce?: number
  /** How long whoever asks waits for the daemon that has the session. */
  readonly handOverMs?: number
  /** How many items a reader of events may be behind. */
  readonly streamItems?: number
}

/** What one caller may have at a time. */
export interface CallerLimits {
  readonly sessions: number
  readonly turns: number
  readonly streams: number
}

export type HostSettings = Required<Omit<SessionHostOptions, 'limits'>> & {
  readonly limits: CallerLimits
  /** Other daemons may use the same store. */
  readonly isShared: boolean
}

const minuteMs = 60_000

export function readSettings(
  { limits, ...options }: SessionHostOptions,
  configured: LimitSettings,
  isShared: boolean,
): HostSettings {
  const { maxSessions = 10_000, maxTurns = 2_000 } = configured
  const { maxSessionsPerCaller = 1_000, maxStreamsPerCaller = 1_000 } =
    configured
  return {
    maxSessions,
    maxTurns,
    maxIdle: isShared ? 0 : 200,
    idleMs: isShared ? 0 : 5 * minuteMs,
    waitMs: isShared ? 2_000 : 10 * minuteMs,
    takesOver: true,
    takeAtOnce: 16,
    // Longer than a turn's end and a summary take.
    handOverMs: 3 * minuteMs,
    streamItems: 1_000,
    ...options,
    isShared,
    limits: {
      sessions: maxSessionsPerCaller,
      turns: 500,
      streams: maxStreamsPerCaller,
      ...limits,
    },
  }
}
