import type { DurableRuntime } from '@hookline/agent/durable'
import type { UserQuestions } from '@hookline/agent/plugins'
import type { Clock } from 'hookline'
import type { NoticeData, NoticeName } from '../protocol/notices.ts'
import type { EventHub } from './event-hub.ts'
import type { EventPump } from './event-pump.ts'
import type { HostSettings } from './host-settings.ts'
import type { HostedWorkspace } from './hosted-workspace.ts'

/** What everything in a session host works with. */
export interface HostParts {
  readonly store: HostedWorkspace['store']
  readonly runtime: DurableRuntime
  readonly questions: UserQuestions
  readonly log: HostedWorkspace['log']
  readonly clock: Clock
  readonly settings: HostSettings
  readonly pump: Pick<EventPump, 'mute' | 'flush'>
  readonly hub: EventHub
  /** Tells streams of all daemons; what cannot be told is noted, and no more. */
  readonly tell: <Name extends NoticeName>(
    name: Name,
    data: NoticeData<Name>,
    sessionId?: string,
  ) => void
  /** Something failed that nobody waits for. */
  readonly noteError: (doing: string, error: unknown) => void
  /** A turn begins that so many wakes led to. */
  readonly noteDepth: (turnId: string, depth: number) => void
  /** Looks for what nobody has, soon. */
  readonly lookSoon: () => void
}
