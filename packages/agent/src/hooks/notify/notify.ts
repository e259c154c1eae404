import { defineHook } from 'hookline'
import { permissionRequest, turnPostTurn } from 'hookline/lifecycle'
import { defineHooks } from '../../define-hooks.ts'
import { AgentError } from '../../index.ts'
import { shownValue } from '../shared/rules/shown-value.ts'
import type { Notification } from './deliver.ts'
import { createNotifier, type Notifier } from './notifier.ts'
import { notifyShape } from './options.ts'

export type { NotifyOptions } from './options.ts'

/** Tells people outside of the conversation that they are needed. */
export const notify = defineHooks({
  name: 'notify',
  description: 'Tells people that a question waits or a turn has ended.',
  options: notifyShape,
  create(options, host) {
    const { name } = host
    const { about = ['approval', 'turn-end', 'error'] } = options
    const { minTurnMs = 30_000, desktop = false } = options
    if (!desktop && options.webhook === undefined) {
      const message = `The options of "${name}" name neither a webhook nor the desktop.`
      throw new AgentError('invalid-config', message)
    }
    const notifier = createNotifier(options, host)
    const tellsEnds = about.some((kind) => kind !== 'approval')
    const ends = { about, minTurnMs }
    return [
      ...(about.includes('approval') ? [tellOfQuestions(name, notifier)] : []),
      ...(tellsEnds ? [tellOfEnds(name, notifier, ends)] : []),
    ]
  },
})

/** Nobody waits for them. */
const telling = {
  execution: 'record',
  handler: { version: '1' },
  timeoutMs: 20_000,
} as const

function tellOfQuestions(name: string, notifier: Notifier) {
  return defineHook({
    ...telling,
    name: `${name}:approval`,
    on: permissionRequest,
    async run({ id, call }, context) {
      // A hook has answered: nobody has to come.
      if (context.decision.type === 'respond') return
      const title = `${context.scope.agent} waits for an answer`
      const text = `It wants to call ${shownValue(call.tool, 100)}.`
      await notifier.tell({ id, kind: 'approval', title, text }, context)
    },
  })
}

interface Ends {
  readonly about: readonly Notification['kind'][]
  /** A turn that took less is told only if it failed. */
  readonly minTurnMs: number
}

function tellOfEnds(
  name: string,
  notifier: Notifier,
  { about, minTurnMs }: Ends,
) {
  return defineHook({
    ...telling,
    name: `${name}:turn`,
    on: turnPostTurn,
    async run({ status, summary }, context) {
      const { turnId: id, elapsedMs } = summary
      const { agent, parents = [] } = context.scope
      // A sub-agent's turn is part of another one.
      if (parents.length > 0) return
      const kind = status === 'failed' ? 'error' : 'turn-end'
      const isShort = elapsedMs < minTurnMs
      if (!about.includes(kind) || (kind === 'turn-end' && isShort)) return
      const how = kind === 'error' ? 'failed' : 'ended'
      const title = `${agent}: the turn has ${how}`
      const seconds = Math.round(elapsedMs / 1_000)
      const text = `Status ${status}, after ${seconds} s.`
      await notifier.tell({ id, kind, title, text }, context)
    },
  })
}
