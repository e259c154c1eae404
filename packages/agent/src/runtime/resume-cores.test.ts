// Turns that were interrupted, and whose core does not finish its step.
import { defineHook, proceed } from 'hookline'
import { toolPostCall } from 'hookline/lifecycle'
import { describe, expect, test } from 'vitest'
import type { Core, CoreEnd, CoreTurn } from '../index.ts'
import { Suspension } from '../ports/approvals.ts'
import {
  askingModel,
  entriesIn,
  live,
  notedTool,
  notingStore,
  storeAfter,
} from './fixtures/crashes.ts'
import { expectPaired } from './fixtures/paired.ts'

const names = ['once', 'again', 'last']

const writes: string[] = []
const first = await live({
  store: notingStore(writes),
  tools: names.map((name) => notedTool(name, [], name === 'again')),
  model: askingModel(names),
})
await first.send('Go.').result

const done: CoreEnd = {
  type: 'end',
  status: 'succeeded',
  reply: [{ type: 'text', text: 'So.' }],
}

async function callModel(turn: CoreTurn): Promise<CoreEnd> {
  const reply = await turn.callModel()
  if (reply.type === 'end') return reply
  return (await turn.askStop(reply)) ?? done
}

type Run = (turn: CoreTurn) => Promise<CoreEnd>

const goingOn: Readonly<Record<string, Run>> = {
  callModel,
  beginStep: async (turn) => (await turn.beginStep()) ?? callModel(turn),
}

const ending: Readonly<Record<string, Run>> = {
  'an end': async () => done,
  'an error': () => Promise.reject(new Error('broken')),
}

/** Another process, in which the core is to go on with it in this way. */
async function openAfterCrash(count: number, run: Run) {
  const kept = writes.slice(0, count)
  const store = await storeAfter(kept)
  const ran: string[] = []
  const ended: string[] = []
  const noting = defineHook({
    name: 'noting',
    on: toolPostCall,
    run: ({ call, status }) => {
      ended.push(`${call.tool} ${status}`)
      return proceed
    },
  })
  const core: Core = {
    type: 'loop',
    honours: ['tool.post_call'],
    canResume: true,
    run: async (turn) => {
      await turn.compilePrompt()
      return run(turn)
    },
  }
  const session = await live({
    ...{ name: 'second', store, cores: [core], hooks: [noting] },
    tools: names.map((name) => notedTool(name, ran, name === 'again')),
    model: askingModel(names),
  })
  return { session, store, ran, ended, known: entriesIn(kept) }
}

async function afterCrash(count: number, run: Run) {
  const { session, store, ...seen } = await openAfterCrash(count, run)
  const { status } = await session.resume().result
  expectPaired(session.messages)
  const stored = await store.load('s')
  expect(stored?.messages).toEqual(session.messages)
  return { ...seen, status }
}

/** As many writes as there are while the calls of the first step are made. */
const crashes = writes.flatMap((_, count) => {
  const known = entriesIn(writes.slice(0, count))
  const isOpen = known.includes('step-open') && !known.includes('step-commit')
  return isOpen ? [count] : []
})

describe('a turn that was interrupted, whose core leaves its step open', () => {
  const rows = (ways: Readonly<Record<string, Run>>) =>
    Object.entries(ways).flatMap(([way, run]) =>
      crashes.map((count) => ({ way, run, count })),
    )

  test.each(rows(goingOn))(
    'has its calls made before $way, after $count writes',
    async ({ run, count }) => {
      const { status, ended, known } = await afterCrash(count, run)
      expect(status).toBe('succeeded')
      const open = names.filter((name) => !known.includes(`end call-${name}`))
      const made = ended.map((one) => one.split(' ')[0])
      expect(made).toHaveLength(open.length)
      expect(new Set(made)).toEqual(new Set(open))
      expect(ended.join()).not.toContain('cancelled')
    },
  )

  test.each(rows(ending))(
    'has its calls end with $way, and makes none, after $count writes',
    async ({ way, run, count }) => {
      const { status, ran, ended, known } = await afterCrash(count, run)
      expect(status).toBe(way === 'an end' ? 'succeeded' : 'failed')
      expect(ran).toEqual([])
      const open = names.filter((name) => !known.includes(`end call-${name}`))
      const expected = open.map((name) =>
        known.includes(`seal call-${name}`)
          ? `${name} unknown_outcome`
          : `${name} cancelled`,
      )
      expect(ended).toEqual(expected)
    },
  )

  test.each(crashes)(
    'has none of its calls end where it is suspended, after %d writes',
    async (count) => {
      const controller = new AbortController()
      const suspended = async () => {
        controller.abort(new Suspension())
        return done
      }
      const { session, store, ran, ended } = await openAfterCrash(
        count,
        suspended,
      )
      const { signal } = controller
      const told: string[] = []
      for await (const { type } of session.resume({ signal })) told.push(type)
      expect([...ran, ...ended]).toEqual([])
      expect(told).not.toContain('tool-end')
      expect((await store.load('s'))?.openTurn).toBeDefined()
    },
  )
})
