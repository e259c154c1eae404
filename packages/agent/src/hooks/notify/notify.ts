import { defineCell, defineHook, type Hook, type State } from 'hookline'
import {
  type AgentScope,
  permissionRequest,
  turnPostTurn,
} from 'hookline/lifecycle'
import {
  defineHooks,
  described,
  flag,
  list,
  number,
  object,
  text,
  word,
} from '../../define-hooks.ts'
import { AgentError } from '../../index.ts'
import { shownValue } from '../shared/rules/shown-value.ts'
import {
  type Delivery,
  deliverToDesktop,
  deliverToWebhook,
  type Notification,
  type WebhookOptions,
} from './deliver.ts'

export interface NotifyOptions {
  /** What people are told about; default: all of it. */
  readonly about?: readonly Notification['kind'][]
  /** Turns that took less are not worth it; default 30 000. */
  readonly minTurnMs?: number
  readonly webhook?: WebhookOptions
  /** On the desktop of whoever runs the process; default: false. */
  readonly desktop?: boolean
  /** More than so many in a minute are left out; default 10. */
  readonly perMinute?: number
}

const webhook = object<WebhookOptions>(
  {
    url: described(
      text({ pattern: /^https?:\/\//, kind: 'an address', maxLength: 2_000 }),
      'Where it is posted to: https, at a public address.',
    ),
    secretEnv: described(
      text({ pattern: /^[A-Za-z_][A-Za-z0-9_]*$/, kind: 'a variable' }),
      'The variable with the key that requests are signed with.',
    ),
    allowPrivate: described(
      flag,
      'Addresses of private networks may be asked, too; default: false.',
    ),
  },
  ['url'],
)

const options = object<NotifyOptions>(
  {
    about: described(
      list(word(['approval', 'turn-end', 'error']), { min: 1, max: 3 }),
      'What people are told about; default: all of it.',
    ),
    minTurnMs: described(
      number({ isWhole: true, min: 0, max: 86_400_000 }),
      'Turns that took less are not worth it; default 30 000.',
    ),
    webhook: described(webhook, 'A server that is told.'),
    desktop: described(
      flag,
      'On the desktop of whoever runs the process; default: false.',
    ),
    perMinute: described(
      number({ isWhole: true, min: 1, max: 600 }),
      'More than so many in a minute are left out; default 10.',
    ),
  },
  [],
)

const minuteMs = 60_000

/** When the last ones were, and what they were about. */
interface Sent {
  readonly at: readonly number[]
  readonly ids: readonly string[]
  /** Whether the newest try may go out. */
  readonly mayGo: boolean
}

/** Tells people outside of the conversation that they are needed. */
export const notify = defineHooks({
  name: 'notify',
  description: 'Tells people that a question waits or a turn has ended.',
  options,
  create(given, { name, clock }) {
    const { about = ['approval', 'turn-end', 'error'] } = given
    const { minTurnMs = 30_000, perMinute = 10, desktop = false } = given
    if (!desktop && given.webhook === undefined) {
      const message = `The options of "${name}" name neither a webhook nor the desktop.`
      throw new AgentError('invalid-config', message)
    }
    const sent = defineCell<Sent>(`${name}:sent`, {
      initial: () => ({ at: [], ids: [], mayGo: true }),
    })
    const mayGo = async (state: State, { id, kind, at }: Notification) => {
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
    const tell = async (
      about: Pick<Notification, 'id' | 'kind' | 'title' | 'text'>,
      { scope, state, ...delivery }: Moment,
    ) => {
      const { agent, sessionId, turnId } = scope
      const told: Notification = {
        ...about,
        agent,
        ...(sessionId !== undefined && { sessionId }),
        ...(turnId !== undefined && { turnId }),
        at: clock.wallAt(clock.now()),
      }
      if (!(await mayGo(state, told))) {
        delivery.diagnose('left-out', 'It was told before, or there are many.')
        return
      }
      const ways = [
        ...(given.webhook
          ? [deliverToWebhook(told, given.webhook, delivery)]
          : []),
        ...(desktop ? [deliverToDesktop(told, delivery)] : []),
      ]
      const failed = (await Promise.allSettled(ways)).find(
        (one) => one.status === 'rejected',
      )
      // Nobody waits: it is in the record that it failed.
      if (failed !== undefined) throw failed.reason
    }

    const asked = defineHook({
      name: `${name}:approval`,
      on: permissionRequest,
      execution: 'record',
      handler: { version: '1' },
      timeoutMs: 20_000,
      async run({ id, call }, context) {
        // A hook has answered: nobody has to come.
        if (context.decision.type === 'respond') return
        const title = `${context.scope.agent} waits for an answer`
        const what = `It wants to call ${shownValue(call.tool, 100)}.`
        await tell({ id, kind: 'approval', title, text: what }, context)
      },
    })
    const ended = defineHook({
      name: `${name}:turn`,
      on: turnPostTurn,
      execution: 'record',
      handler: { version: '1' },
      timeoutMs: 20_000,
      async run({ status, summary }, context) {
        const { turnId: id, elapsedMs } = summary
        const { scope } = context
        // A sub-agent's turn is part of another one.
        if (scope.parents !== undefined && scope.parents.length > 0) return
        const kind = status === 'failed' ? 'error' : 'turn-end'
        const isShort = elapsedMs < minTurnMs
        if (!about.includes(kind) || (kind === 'turn-end' && isShort)) return
        const title = `${scope.agent}: the turn has ${
          kind === 'error' ? 'failed' : 'ended'
        }`
        const seconds = Math.round(elapsedMs / 1_000)
        const text = `Status ${status}, after ${seconds} s.`
        await tell({ id, kind, title, text }, context)
      },
    })
    const hooks: readonly Hook[] = [
      ...(about.includes('approval') ? [asked] : []),
      ...(about.some((kind) => kind !== 'approval') ? [ended] : []),
    ]
    return hooks
  },
})

interface Moment extends Delivery {
  readonly scope: AgentScope
  readonly state: State
}
