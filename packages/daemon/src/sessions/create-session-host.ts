import { AgentError } from '@hookline/agent'
import type { SessionService } from '../service/service-parts.ts'
import { translated } from '../service/translate-errors.ts'
import { hookVisibility } from '../service/visible-hooks.ts'
import { CallerCounts } from './caller-counts.ts'
import { EventHub } from './event-hub.ts'
import { EventPump } from './event-pump.ts'
import { HeldSessions } from './held-sessions.ts'
import type { HostParts } from './host-parts.ts'
import { readSettings, type SessionHostOptions } from './host-settings.ts'
import type { HostedWorkspace } from './hosted-workspace.ts'
import { followNotices } from './notices.ts'
import { Presence } from './presence.ts'
import { questionOperations } from './question-operations.ts'
import { sessionOperations } from './session-operations.ts'
import { TakeOver } from './take-over.ts'
import { TaskDesk } from './tasks.ts'
import { turnOperations } from './turn-operations.ts'
import { wakeOperations } from './wake-operations.ts'
import { WakeDesk } from './wakes.ts'
import { watchOperations } from './watch-operations.ts'
import { within } from './within.ts'

/** How long whoever watches may take to read how things ended. */
const lastReadMs = 500

/** Sessions and their turns, and what is told about them. */
export interface SessionHost {
  readonly service: SessionService
  readonly counts: {
    readonly sessions: number
    readonly turns: number
    readonly streams: number
  }
  /** Tells the streams of all daemons. */
  readonly tell: HostParts['tell']
  /** Whether it begins no more turns. */
  readonly isDraining: boolean
  /**
   * Begins no more turns; those that run have so long, then others go on.
   * Whoever watches has seen how they ended.
   */
  drain(graceMs: number): Promise<void>
  /** Lets go of all sessions and ends all streams. */
  close(): Promise<void>
}

export function createSessionHost(
  workspace: HostedWorkspace,
  options: SessionHostOptions = {},
): SessionHost {
  const { store, runtime, questions, log } = workspace
  const { clock, database } = store.parts
  const settings = readSettings(
    options,
    workspace.settings.daemon.limits,
    database.dialect === 'postgres',
  )
  const noteError = (doing: string, error: unknown) => {
    const isSmall = error instanceof AgentError
    log[isSmall ? 'warn' : 'error']('session-host', { doing, error })
  }
  const tell: HostParts['tell'] = (name, data, sessionId) => {
    const about = sessionId === undefined ? {} : { sessionId }
    store.events
      .notice(name, data, about)
      .catch((error: unknown) => noteError('notice', error))
  }
  const hub = new EventHub({
    log: store.events,
    clock,
    isVisible: hookVisibility(runtime),
    onError: (error) => noteError('event-read', error),
    onRead: (logged) => {
      if (logged.type !== 'notice' || logged.name !== 'session-opened') return
      if (logged.sessionId !== undefined) void presence.say(logged.sessionId)
    },
    bounds: { maxItems: settings.streamItems },
  })
  const pump = new EventPump(runtime.subscribe(), {
    log: store.events,
    clock,
    onEvent: (event) => sessions.note(event),
    onState(state) {
      if (state.type === 'failed') {
        noteError('event-append', state.error)
        hub.announce('events-unavailable', {})
        return
      }
      hub.announce('events-available', { lost: state.lost })
      if (state.lost > 0) tell('events-lost', { lost: state.lost })
    },
  })
  const parts: HostParts = {
    store,
    runtime,
    questions,
    log,
    clock,
    settings,
    pump,
    hub,
    tell,
    noteError,
    noteDepth: (turnId, depth) => wakes.note(turnId, depth),
    lookSoon: () => takeOver.look(),
  }
  const presence = new Presence(parts)
  const sessions = new HeldSessions(parts, (sessionId, message) =>
    presence.hear(sessionId, message),
  )
  const wakes = new WakeDesk(parts, sessions, workspace)
  const tasks = new TaskDesk(parts, sessions, wakes)
  const takeOver = new TakeOver(parts, { sessions, wakes, tasks })
  const counts = new CallerCounts(settings.limits)
  const operations: SessionService = {
    ...sessionOperations({ parts, sessions, counts, root: workspace.root }),
    ...turnOperations({ parts, sessions, counts, presence }),
    ...watchOperations({ parts, counts, presence }),
    ...wakeOperations(parts, wakes),
    ...questionOperations({ parts, sessions }),
  }
  const unfollow = [
    followNotices(workspace, { pump, tell }),
    runtime.engine.observe((event) => wakes.hear(event)),
    workspace.background.attend((task) => tasks.begin(task)),
    workspace.onChange(() => takeOver.tryAgain()),
    // Others may have taken what we had.
    store.lease.onLoss(() => void sessions.leaveAll()),
  ]
  if (settings.takesOver) takeOver.start()

  const letEnd = async (graceMs: number) => {
    sessions.stop()
    await takeOver.stop()
    await sessions.drain((work) => within(clock, graceMs, work))
    await pump.flush()
  }
  const drain = async (graceMs: number) => {
    await letEnd(graceMs)
    await within(clock, lastReadMs, hub.read())
  }
  let closed: Promise<void> | undefined
  const close = async () => {
    await letEnd(0)
    for (const stop of unfollow) stop()
    presence.close()
    await pump.stop()
    await hub.close()
  }
  return {
    service: translated(operations),
    counts: {
      get sessions() {
        return sessions.size
      },
      get turns() {
        return sessions.turns
      },
      get streams() {
        return hub.size
      },
    },
    get isDraining() {
      return sessions.isDraining
    },
    tell,
    drain,
    close() {
      closed ??= close()
      return closed
    },
  }
}
