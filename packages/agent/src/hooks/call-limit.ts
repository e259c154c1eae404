import { defineCell, defineHook, proceed, reject } from 'hookline'
import { llmPreCall, toolGuard } from 'hookline/lifecycle'
import {
  defineHooks,
  described,
  number,
  object,
  record,
  word,
} from '../define-hooks.ts'
import { createPassedCalls } from './shared/turns/passed-calls.ts'

export interface CallLimitOptions {
  /** How many calls of tools, all together. */
  readonly toolCalls?: number
  /** How many calls of single tools, by their names. */
  readonly tools?: Readonly<Record<string, number>>
  /** How many calls of models, tries and calls by hooks among them. */
  readonly modelCalls?: number
  /** What they are counted in; default: the turn. */
  readonly per?: 'turn' | 'session'
}

const count = number({ isWhole: true, min: 0 })

const options = object<CallLimitOptions>(
  {
    toolCalls: described(count, 'How many calls of tools, all together.'),
    tools: described(
      record(count, { keys: /^.{1,128}$/, kind: 'name of a tool', max: 1000 }),
      'How many calls of single tools, by their names.',
    ),
    modelCalls: described(
      count,
      'How many calls of models, tries and calls by hooks among them.',
    ),
    per: described(
      word(['turn', 'session']),
      'What they are counted in; default: the turn.',
    ),
  },
  [],
)

/** No more than so many calls. A call that is refused later counts, too. */
export const callLimit = defineHooks({
  name: 'call-limit',
  description: 'No more than so many calls of tools and of models.',
  options,
  create({ toolCalls, tools = {}, modelCalls, per = 'turn' }, { name }) {
    const counts = defineCell<Readonly<Record<string, number>>>(name, {
      initial: () => ({}),
      scope: per,
    })
    const calls = createPassedCalls(name)
    const passed = (kind: string, limit: number) =>
      reject(`There were ${limit} calls of ${kind} in this ${per}; no more.`)
    const guard = defineHook({
      name: `${name}:tools`,
      on: toolGuard,
      handler: { version: '1' },
      async run({ id, tool }, { state }) {
        if (await calls.has(state, id)) return proceed
        const limit = Object.hasOwn(tools, tool) ? tools[tool] : undefined
        const key = `tool:${tool}`
        const now = await state.update(counts, (before) => ({
          ...before,
          all: (before['all'] ?? 0) + 1,
          ...(limit !== undefined && { [key]: (before[key] ?? 0) + 1 }),
        }))
        if (limit !== undefined && (now[key] ?? 0) > limit) {
          return passed(`"${tool}"`, limit)
        }
        if (toolCalls !== undefined && (now['all'] ?? 0) > toolCalls) {
          return passed('tools', toolCalls)
        }
        await calls.note(state, id)
        return proceed
      },
    })
    const gate = defineHook({
      name: `${name}:models`,
      on: llmPreCall,
      handler: { version: '1' },
      async run(_, { state }) {
        const now = await state.update(counts, (before) => ({
          ...before,
          models: (before['models'] ?? 0) + 1,
        }))
        const isOver = (now['models'] ?? 0) > (modelCalls ?? Infinity)
        return isOver ? passed('models', modelCalls ?? 0) : proceed
      },
    })
    const isAboutTools = toolCalls !== undefined || Object.keys(tools).length
    return [
      ...(isAboutTools ? [guard] : []),
      ...(modelCalls === undefined ? [] : [gate]),
    ]
  },
})
