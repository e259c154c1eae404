import { defineCell, defineHook, endTurn, proceed, reject } from 'hookline'
import {
  type AgentScope,
  audit,
  llmPostCall,
  llmPreCall,
  notice,
  toolGuard,
  toolPostCall,
} from 'hookline/lifecycle'
import { defineHooks, described, object, word } from '../define-hooks.ts'
import type { AnyContext } from '../index.ts'
import { stableDigest } from './shared/rules/stable-digest.ts'

export interface CanaryOptions {
  /** What follows an alarm; default: what came of the call is withheld. */
  readonly action?: 'alarm' | 'withhold' | 'end-turn'
  /** Tools that providers run themselves, past every gate; default: `alarm`. */
  readonly providerTools?: 'alarm' | 'allow'
}

const options = object<CanaryOptions>(
  {
    action: described(
      word(['alarm', 'withhold', 'end-turn']),
      'What follows an alarm; default: what came of the call is withheld.',
    ),
    providerTools: described(
      word(['alarm', 'allow']),
      'Tools that providers run themselves, past every gate; default: alarm.',
    ),
  },
  [],
)

interface Count {
  readonly asked: number
  readonly ended: number
}

const none: Count = { asked: 0, ended: 0 }

const ungatedCode = 'ungated-call'
// As many short marks as a cell has room for.
const maxSeen = 4_000
const markLength = 16
const kinds = [notice.kind, audit.kind]

/** Raises an alarm about calls that happened and that its guards never saw. */
export const canary = defineHooks({
  name: 'canary',
  description: 'An alarm about calls that no gate has seen.',
  options,
  create({ action = 'withhold', providerTools = 'alarm' }, host) {
    const { name } = host
    /** Calls with the arguments as they were judged. */
    const seenTools = defineCell<readonly string[]>(`${name}:tools`, {
      initial: () => [],
      scope: 'turn',
    })
    /** By step, try and origin: calls of models that were asked about. */
    const seenModels = defineCell<Readonly<Record<string, Count>>>(
      `${name}:models`,
      { initial: () => ({}), scope: 'turn' },
    )
    const countModel = (key: string, more: Count) => {
      return (before: Readonly<Record<string, Count>>) => {
        const { asked, ended } = before[key] ?? none
        const now = { asked: asked + more.asked, ended: ended + more.ended }
        return { ...before, [key]: now }
      }
    }

    const raise = (context: AnyContext, about: string) => {
      const message = `${about} was called, and no gate has seen it.`
      host.alarm(ungatedCode, about)
      context.diagnose(ungatedCode, message)
      context.contribute(notice({ message, level: 'error' }))
      context.contribute(audit({ event: ungatedCode, details: { about } }))
      if (action === 'end-turn') return endTurn(message)
      return action === 'withhold' ? reject(message) : proceed
    }

    return [
      defineHook({
        name: `${name}:tool-seen`,
        on: toolGuard,
        handler: { version: '1' },
        // Before all who could refuse: to be seen is no more than that.
        priority: -1_000,
        async run({ seal, args }, { state }) {
          const mark = markOf(seal, args)
          await state.update(seenTools, (before) =>
            [...before, mark].slice(-maxSeen),
          )
          return proceed
        },
      }),
      defineHook({
        name: `${name}:tool-ended`,
        on: toolPostCall,
        handler: { version: '1' },
        capabilities: kinds,
        match: { status: ['executed', 'unknown_outcome', 'cancelled'] },
        // On the way out the highest is first.
        priority: 10_000,
        beforeWrites: true,
        async run({ call, seal = '', status, elapsedMs }, context) {
          // One that was cancelled before it began was not called.
          if (status === 'cancelled' && elapsedMs === 0) return proceed
          const seen = await context.state.get(seenTools)
          if (seen.includes(markOf(seal, call.args))) return proceed
          return raise(context, `The tool "${call.tool}"`)
        },
      }),
      defineHook({
        name: `${name}:model-seen`,
        on: llmPreCall,
        handler: { version: '1' },
        priority: -1_000,
        beforeWrites: true,
        async run({ attempt }, { scope, state }) {
          const key = momentOf(scope, attempt)
          await state.update(seenModels, countModel(key, { ...none, asked: 1 }))
          return proceed
        },
      }),
      defineHook({
        name: `${name}:model-ended`,
        on: llmPostCall,
        handler: { version: '1' },
        capabilities: kinds,
        priority: 10_000,
        beforeWrites: true,
        async run({ request, attempt, response }, context) {
          const key = momentOf(context.scope, attempt)
          // After an error a hook may still answer: that is the same call.
          const ended = response === undefined ? 0 : 1
          const change = countModel(key, { ...none, ended })
          const { [key]: count = none } = await context.state.update(
            seenModels,
            change,
          )
          const isSeen = count.asked > 0 && count.ended <= count.asked
          if (!isSeen) return raise(context, `The model "${request.model}"`)
          const ran = response?.content.find(
            (block) => block.type === 'tool_call' && block.providerExecuted,
          )
          if (ran?.type !== 'tool_call' || providerTools === 'allow') {
            return proceed
          }
          return raise(context, `The provider's tool "${ran.tool}"`)
        },
      }),
    ]
  },
})

function momentOf({ step = 0, origin }: AgentScope, attempt: number): string {
  return `${step}:${attempt}:${origin}`
}

/** The same for the same call with the same arguments. */
function markOf(seal: string, args: unknown): string {
  return stableDigest([seal, args]).slice(0, markLength)
}
