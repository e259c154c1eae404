import { defineCell, type State } from 'hookline'
import type { AgentScope } from 'hookline/lifecycle'
import type { HooksHost } from '../../define-hooks.ts'
import {
  type Delivery,
  deliverToDesktop,
  deliverToWebhook,
  type Notification,
} from './deliver.ts'
import type { NotifyOptions } from './options.ts'

/** The moment of which people are told. */
interface Moment extends Delivery {
  readonly scope: AgentScope
  readonly state: State
}

export interface Notifier {
  /** Rejects if it could not be delivered. */
  tell(
    about: Pick<Notification, 'id' | 'kind' | 'title' | 'text'>,
    moment: Moment,
  ): Promise<void>
}

export function createNotifier(
  options: NotifyOptions,
  { name, clock }: HooksHost,
): Notifier {
  const mayGo = createThrottle(name, options.perMinute ?? 10)
  return {
    async tell(about, { scope, state, ...delivery }) {
      const { agent, sessionId, turnId } = scope
      const told: Notification = {
        ...about,
        agent,
        ...(sessionId !== undefined && { sessionId }),
        ...(turnId !== undefined && { turnId }),
        at: clock.wallAt(clock.now()),
      }
      if (await mayGo(state, told)) return deliver(told, options, delivery)
      delivery.diagnose('left-out', 'It was told before, or there are many.')
    },
  }
}

async function deliver(
  told: Notification,
  { webhook, desktop = false }: NotifyOptions,
  delivery: Delivery,
): Promise<void> {
  const ways = [
    ...(webhook ? [deliverToWebhook(told, webhook, delivery)] : []),
    ...(desktop ? [deliverToDesktop(told, delivery)] : []),
  ]
  const failed = (await Promise.allSettled(ways)).find(
    (one) => one.status === 'rejected',
  )
  // Nobody waits: it is in the record that it failed.
  if (failed !== undefined) throw failed.reason
}

const minuteMs = 60_000

/** When the last ones were, and what they were about. */
interface Sent {
  readonly at: readonly number[]
  readonly ids: readonly string[]
  /** Whether the newest try may go out. */
  readonly mayGo: boolean
}

/** Each goes out once, and not more than so many in a minute. */
function createThrottle(name: string, perMinute: number) {
  const sent = defineCell<Sent>(`${name}:sent`, {
    initial: () => ({ at: [], ids: [], mayGo: true }),
  })
  return async (state: State, { id, kind, at }: Notification) => {
    const key = `${kind} ${id}`
    const now = await state.update(sent, (before) => {
      // A clock that was set back must not silence anybody.
      const recent = before.at.filter((one) => Math.abs(at - one) < minuteMs)
      const isNew = !before.ids.includes(key)
      if (!isNew || recent.length >= perMinute) {
        return { ...before, mayGo: false }
      }
      const ids = [...before.ids, key].slice(-500)
      return { at: [...recent, at], ids, mayGo: true }
    })
    return now.mayGo
  }
}
