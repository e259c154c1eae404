import { defineHook } from 'hookline'
import { toolGuard, toolPostCall, turnPreTurn } from 'hookline/lifecycle'
import { describe, expect, test } from 'vitest'
import {
  type Core,
  createMemoryStore,
  createPolicy,
  defineTool,
  type Model,
} from '../index.ts'
import {
  eventsOf,
  openStage,
  type StageOptions,
} from '../runtime/fixtures/stage.ts'

/** Whoever looks at it, in whatever way, is thrown at. */
function unreadable(): unknown {
  const { proxy, revoke } = Proxy.revocable({}, {})
  revoke()
  return proxy
}

const work = [{ calls: [{ tool: 'odd', id: 'c' }] }, { text: 'Done.' }]

const toolThat = (execute: () => unknown) =>
  defineTool({
    name: 'odd',
    description: 'Does something.',
    safety: 'mutating',
    input: { type: 'object' },
    execute: async () => execute() as string,
  })

const fine = toolThat(() => 'Well.')

const throws = () => {
  throw unreadable()
}

describe('what is thrown and cannot be looked at', () => {
  test('by a tool is an error of that tool, which has run', async () => {
    const odd = toolThat(throws)
    const { say, events } = await openStage(work, { tools: [odd] })
    expect(await say('Go.')).toMatchObject({ status: 'succeeded' })
    const [end] = eventsOf(events, 'tool-end')
    expect(end).toMatchObject({
      status: 'executed',
      result: { isError: true, error: 'tool' },
    })
  })

  test.each(['sync', 'async'])('by a gate denies: %s', async (how) => {
    const run = how === 'sync' ? throws : async () => throws()
    const gate = defineHook({ name: 'gate', on: toolGuard, run })
    const { say, events } = await openStage(work, {
      tools: [fine],
      hooks: [gate],
    })
    expect(await say('Go.')).toMatchObject({ status: 'succeeded' })
    expect(eventsOf(events, 'tool-end')).toMatchObject([{ status: 'denied' }])
  })

  test('by a gate that answers with it, too, denies', async () => {
    const run = unreadable as () => never
    const gate = defineHook({ name: 'gate', on: toolGuard, run })
    const { say, events } = await openStage(work, {
      tools: [fine],
      hooks: [gate],
    })
    expect(await say('Go.')).toMatchObject({ status: 'succeeded' })
    expect(eventsOf(events, 'tool-end')).toMatchObject([{ status: 'denied' }])
  })

  const failing: [string, string, StageOptions][] = [
    [
      'a core',
      'unexpected',
      { cores: [coreThat(throws)], config: { core: 'odd' } },
    ],
    [
      'a model',
      'unknown',
      { models: { odd: modelThat(throws) }, config: { model: 'odd' } },
    ],
    [
      'approvals',
      'unexpected',
      {
        policy: createPolicy({ mode: 'ask-writes' }),
        approvals: { ask: throws },
      },
    ],
    [
      'a policy',
      'unexpected',
      { policy: { grant: throws, needsGate: () => false } },
    ],
    ['a required hook', 'required-failed', { hooks: [required(turnPreTurn)] }],
    [
      'a required hook after a call',
      'required-failed',
      { hooks: [required(toolPostCall)] },
    ],
    ['a store', 'store', { store: { ...createMemoryStore(), append: throws } }],
  ]
  test.each(failing)(
    'by %s fails the turn, which ends',
    async (_, code, options) => {
      const { say, events } = await openStage(work, {
        tools: [fine],
        ...options,
      })
      expect(await say('Go.')).toMatchObject({ status: 'failed' })
      const [end] = eventsOf(events, 'turn-end')
      expect(end?.error?.code).toBe(code)
    },
  )
})

function coreThat(run: () => never): Core {
  return { type: 'odd', honours: [], run: async () => run() }
}

function modelThat(generate: () => never): Model {
  const abilities = { tools: true, images: true, files: true, reasoning: true }
  return { abilities, generate }
}

function required(on: typeof turnPreTurn | typeof toolPostCall) {
  // They are alike in that they may fail.
  const point = on as typeof turnPreTurn
  return defineHook({
    name: 'odd',
    on: point,
    onFailure: 'required',
    run: throws,
  })
}
