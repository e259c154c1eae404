import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createMemoryRecords, type MemoryState } from 'hookline'
import type { ModelRequest } from 'hookline/lifecycle'
import { afterAll, describe, expect, test } from 'vitest'
import { defineHooks } from '../define-hooks.ts'
import { shippedHooks } from '../hooks.ts'
import { createPolicy } from '../index.ts'
import type { ScriptStep } from '../testing/index.ts'
import { exampleOptions } from './fixtures/example-options.ts'
import { playLives } from './fixtures/lives.ts'
import { callsOf, echoTool, play } from './fixtures/play.ts'
import { playTeam } from './fixtures/team.ts'

const folder = mkdtempSync(join(tmpdir(), 'hookline-every-hook-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const tools = [echoTool('look'), echoTool('find')]
const policy = createPolicy({ mode: 'open' })
const price = { input: 1, output: 1 }

/** Several calls at once, and then a reply that comes in pieces. */
function work({ messages }: Pick<ModelRequest, 'messages'>): ScriptStep {
  if (messages.at(-1)?.role !== 'user') {
    return { text: 'Done: it is all as it should be.' }
  }
  const looks = callsOf('look', { at: 1 }, { at: 2 }, { at: 3 })
  return { calls: [...looks.calls, ...callsOf('find', { at: 4 }).calls] }
}

/** Keeps nothing, as a store that cannot be reached. */
const awayState: MemoryState = {
  at: () => ({
    get() {
      throw new Error('The state is away.')
    },
    update() {
      throw new Error('The state is away.')
    },
  }),
  end() {},
}

describe.each(shippedHooks.map((spec) => [spec.name, spec] as const))(
  '%s',
  (name, spec) => {
    const pluginsNow = () => [
      defineHooks(spec)(exampleOptions[name]?.(folder) ?? {}),
    ]

    test('lets harmless work pass: several tools at once, and text as it comes', async () => {
      const records = createMemoryRecords()
      const { turns, events, statuses } = await play(work, {
        ...{ plugins: pluginsNow(), tools, policy, price },
        engine: { records },
        inputs: ['Go.', 'Go on.'],
      })
      const told = events.flatMap((event) =>
        event.type === 'text-delta' ? [event.text] : [],
      )
      expect(turns.map(({ status }) => status)).toEqual([
        'succeeded',
        'succeeded',
      ])
      expect(told.join('')).toBe(turns.map(({ text }) => text).join(''))
      expect(statuses).toEqual(Array.from({ length: 8 }, () => 'executed'))
      expect(failuresIn(records)).toEqual([])
    })

    test('lets agents have others work for them', async () => {
      const records = createMemoryRecords()
      const { turn, results } = await playTeam(work, {
        ...{ tasks: 3, plugins: pluginsNow(), tools, policy },
        engine: { records },
      })
      expect(turn.status).toBe('succeeded')
      expect(results.map(({ status }) => status)).toEqual([
        'succeeded',
        'succeeded',
        'succeeded',
      ])
      expect(failuresIn(records)).toEqual([])
    })

    test('goes on in the next process', async () => {
      const life = () => ({ script: work, plugins: pluginsNow(), tools })
      const turns = await playLives([life(), life()])
      expect(turns.map(({ status }) => status)).toEqual([
        'succeeded',
        'succeeded',
      ])
    })

    test('lets nothing pass that it could not judge', async () => {
      const records = createMemoryRecords()
      const { turns, statuses } = await play(work, {
        ...{ plugins: pluginsNow(), tools, policy, price },
        ...{ engine: { records }, state: awayState },
      })
      const closed = records
        .all()
        .filter(({ state, failedOpen }) => state === 'failed' && !failedOpen)
        .map(({ point }) => point)
      const isShut = closed.some((point) => /^(?:turn|llm)\.pre_/.test(point))
      const isDenied = closed.some((point) => point.startsWith('tool.'))
      expect(turns[0]?.status === 'succeeded').toBe(!isShut)
      expect(statuses.includes('executed')).toBe(!isShut && !isDenied)
    })
  },
)

function failuresIn(records: ReturnType<typeof createMemoryRecords>) {
  return records
    .all()
    .filter(({ failure }) => failure !== undefined)
    .map(({ hook, failure }) => [hook, failure?.message])
}
