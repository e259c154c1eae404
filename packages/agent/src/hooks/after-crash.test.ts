import { defineHook, type Hook, proceed } from 'hookline'
import {
  llmPreCall,
  type ModelRequest,
  toolPostBatch,
  turnStop,
} from 'hookline/lifecycle'
import { describe, expect, test } from 'vitest'
import { definePlugin, defineTool } from '../index.ts'
import { canary } from './canary.ts'
import { createDeadEnd, playCrash } from './fixtures/crash.ts'
import { callsOf, echoTool } from './fixtures/play.ts'
import { loopDetector } from './loop-detector.ts'
import { retry } from './retry.ts'
import { stopJudge } from './stop-judge/stop-judge.ts'

const tools = [echoTool('look')]
const done = { text: 'Done.' }
const overloaded = { error: { code: 'overloaded' } } as const

const asPlugin = (hook: Hook) => definePlugin({ name: 'end', hooks: [hook] })

const isResult = ({ messages }: ModelRequest) =>
  messages.at(-1)?.role === 'tool'

describe('canary', () => {
  const work = (request: ModelRequest) =>
    isResult(request) ? done : callsOf('work', { n: 1 }, { n: 2 })

  test.each([true, false])(
    'knows the calls that its guards have seen before a crash (repeatable: %s)',
    async (idempotent) => {
      const at = createDeadEnd()
      const alarms: string[] = []
      const toolThat = (execute: () => Promise<void>) =>
        defineTool({
          ...{ name: 'work', description: 'Works.', idempotent },
          ...{ input: { type: 'object' }, safety: 'mutating' },
          execute: async () => {
            await execute()
            return 'Worked.'
          },
        })
      const life = () => ({
        ...{ script: work, plugins: [canary({})] },
        onAlarm: (code: string, about: string) =>
          void alarms.push(`${code}: ${about}`),
      })
      const { status } = await playCrash({
        first: { ...life(), tools: [toolThat(at.hang)] },
        at,
        second: { ...life(), tools: [toolThat(async () => {})] },
      })
      expect(status).toBe('succeeded')
      expect(alarms).toEqual([])
    },
  )

  test('knows the model call that a crash has interrupted', async () => {
    const at = createDeadEnd()
    const alarms: string[] = []
    const life = () => ({
      ...{ plugins: [canary({})], tools },
      onAlarm: (code: string) => void alarms.push(code),
    })
    const { status } = await playCrash({
      first: { ...life(), script: () => ({ ...done, waitFor: at.hang() }) },
      at,
      second: { ...life(), script: [done] },
    })
    expect(status).toBe('succeeded')
    expect(alarms).toEqual([])
  })
})

describe('retry', () => {
  test('a call that a crash has interrupted has all its tries, and no more', async () => {
    const at = createDeadEnd()
    const plugins = () => [retry({ maxAttempts: 3, baseMs: 1 })]
    const script = (_: ModelRequest, call: number) =>
      call === 1 ? overloaded : { ...done, waitFor: at.hang() }
    let calls = 0
    const { status } = await playCrash({
      first: { script, plugins: plugins() },
      at,
      second: {
        plugins: plugins(),
        script: () => {
          calls++
          return overloaded
        },
      },
    })
    expect(status).toBe('failed')
    expect(calls).toBe(3)
  })
})

describe('stop-judge', () => {
  const open = { text: JSON.stringify({ done: false, missing: 'Test it.' }) }
  const rounds = 2
  const plugins = () => [
    stopJudge({ model: 'judge', maxRounds: rounds, timeoutMs: 100_000 }),
  ]

  test('counts its rounds over a crash', async () => {
    const at = createDeadEnd()
    let turns = 0
    let judged = 0
    const { status } = await playCrash({
      first: {
        plugins: plugins(),
        script({ model, messages }) {
          if (model === 'judge') return open
          const isTold = JSON.stringify(messages).includes('Test it.')
          return isTold ? { ...done, waitFor: at.hang() } : done
        },
      },
      at,
      second: {
        plugins: plugins(),
        script({ model }) {
          if (model !== 'judge') {
            turns++
            return done
          }
          judged++
          return open
        },
      },
    })
    expect(status).toBe('succeeded')
    // One round is over: the interrupted call, and one more.
    expect([judged, turns]).toEqual([1, 2])
  })

  test('still shows the judge what was done before a crash', async () => {
    const at = createDeadEnd()
    const late = defineHook({
      ...{ name: 'end:stop', on: turnStop, priority: 1 },
      run: async () => {
        await at.hang()
        return proceed
      },
    })
    let shown = ''
    const script = (request: ModelRequest) => {
      if (request.model === 'judge') {
        shown = JSON.stringify(request.messages)
        return { text: JSON.stringify({ done: true, missing: '' }) }
      }
      return isResult(request) ? done : callsOf('look', { at: 'the logs' })
    }
    await playCrash({
      first: { script, tools, plugins: [...plugins(), asPlugin(late)] },
      at,
      second: { script, tools, plugins: plugins() },
    })
    expect(shown).toContain('calls look')
    expect(shown).toContain('the logs')
  })
})

describe('loop-detector', () => {
  const script = (request: ModelRequest) =>
    isResult(request) ? done : callsOf('look', { a: 1 })
  const plugins = () => [loopDetector({ warnAt: 2, endAt: 2 })]

  test('does not count the calls twice of a step that a crash has interrupted', async () => {
    const at = createDeadEnd()
    const late = defineHook({
      ...{ name: 'end:batch', on: toolPostBatch, priority: 1000 },
      run: async () => {
        await at.hang()
        return proceed
      },
    })
    const { text, reason } = await playCrash({
      first: { script, tools, plugins: [...plugins(), asPlugin(late)] },
      at,
      second: { script, tools, plugins: plugins() },
    })
    expect(reason).toBeUndefined()
    expect(text).toBe('Done.')
  })

  test('still knows the calls of the steps before a crash', async () => {
    const at = createDeadEnd()
    const late = defineHook({
      ...{ name: 'end:call', on: llmPreCall, priority: 1000 },
      run: async ({ request }) => {
        if (isResult(request)) await at.hang()
        return proceed
      },
    })
    const { reason } = await playCrash({
      first: { script, tools, plugins: [...plugins(), asPlugin(late)] },
      at,
      second: {
        script: [callsOf('look', { a: 1 })],
        tools,
        plugins: plugins(),
      },
    })
    expect(reason).toContain('came 2 times')
  })
})
