import type { AgentLimits } from 'hookline/lifecycle'
import { createFakeClock } from 'hookline/testing'
import { describe, expect, test } from 'vitest'
import type { JournalEntry } from '../index.ts'
import { type Script, scriptedModel } from '../testing/index.ts'
import {
  entriesIn,
  type LifeOptions,
  live,
  notedTool,
  storeAfter,
} from './fixtures/crashes.ts'
import { gate } from './fixtures/stage.ts'
import { tool } from './fixtures/tools.ts'

const price = { input: 1_000_000, output: 1_000_000 }
const steps: Script = ({ messages }) => {
  const done = messages.filter(({ role }) => role === 'tool').length
  const usage = { inputTokens: 1, outputTokens: 1 }
  const calls = [{ tool: 'write', id: `c${done + 1}` }]
  return done < 2 ? { calls, usage } : { text: 'Done.', usage }
}
const hanging: Script = () => new Promise<never>(() => {})

/** One process, which notes what it writes. */
async function life(
  given: Partial<LifeOptions> & { readonly script?: Script } = {},
  before: readonly string[] = [],
) {
  const { script = steps, ...rest } = given
  const written = [...before]
  const kept = await storeAfter(before)
  const model = scriptedModel(script, { price })
  const session = await live({
    tools: [notedTool('write', [])],
    ...rest,
    model,
    store: {
      ...kept,
      async append(id, entries) {
        await kept.append(id, entries)
        if (id === 's') written.push(JSON.stringify(entries))
      },
    },
  })
  return { session, model, written }
}

/** What a whole turn of three steps writes. */
async function wholeTurn() {
  const { session, written } = await life()
  const result = await session.send('Go.').result
  return { result, writes: written }
}

const whole = await wholeTurn()
const crashes = whole.writes.map((_, count) => count).slice(1)

/** The same as the version before has written it. */
function ofBefore(writes: readonly string[]): readonly string[] {
  return writes.map((written) => {
    const entries: JournalEntry[] = JSON.parse(written)
    return JSON.stringify(
      entries.map((entry) => {
        const {
          used: _,
          spent: __,
          ...rest
        } = { ...entry } as never as {
          used?: unknown
          spent?: unknown
        }
        return rest
      }),
    )
  })
}

function summaryIn(writes: readonly string[]) {
  const entries = writes.flatMap((one): JournalEntry[] => JSON.parse(one))
  const end = entries.find((entry) => entry.type === 'turn-end')
  return end?.type === 'turn-end' ? end.summary : undefined
}

describe('a turn that goes on after a crash', () => {
  test.each(crashes)(
    'ends with what all its processes have used: after %d writes',
    async (count) => {
      const { session, written } = await life({}, whole.writes.slice(0, count))
      const { usage, steps: made } = await session.resume().result
      expect(usage).toEqual(whole.result.usage)
      expect(made).toBe(3)
      expect(summaryIn(written)).toMatchObject({
        cost: summaryIn(whole.writes)?.cost,
      })
    },
  )

  // After the step that was committed last nothing had been written.
  const isCommit = (one: string) => one.includes('"step-commit"')
  const committed = whole.writes.findIndex(isCommit) + 1

  test.each<[string, AgentLimits]>([
    ['tokens', { maxTokens: 2 }],
    ['cost', { maxCost: 2 }],
    ['tool calls', { maxToolCalls: 1 }],
    ['steps', { maxSteps: 1 }],
  ])('has no more than its limit allows it: %s', async (_, limits) => {
    const before = whole.writes.slice(0, committed)
    const { session, model } = await life({ limits }, before)
    expect(await session.resume().result).toMatchObject({ status: 'limited' })
    expect(model.requests.length).toBeLessThanOrEqual(1)
  })

  test('is limited, however often it takes its process with it', async () => {
    let before: readonly string[] = []
    const limits = { maxSteps: 3 }
    for (let lives = 0; lives < 6; lives++) {
      const one = await life({ script: hanging, limits }, before)
      const { session, written, model } = one
      const { result } = lives === 0 ? session.send('Go.') : session.resume()
      const end = result.then(({ status }) => status)
      const asked = expect
        .poll(() => model.requests.length)
        .toBe(1)
        .then(() => 'asked')
      const came = await Promise.race([end, asked])
      before = written
      if (came !== 'asked') {
        asked.catch(() => {})
        expect(came).toBe('limited')
        expect(lives).toBe(3)
        return
      }
    }
    expect.unreachable('It was never limited.')
  })

  test('has used what sub-agents had spent for calls that had ended', async () => {
    const { reached, pass } = gate()
    const agent = {
      name: 'helper',
      model: 'x',
      instructions: 'Help.',
    }
    const hands = tool('hand', (_, context) =>
      context.delegate({ agent, task: 'Help.' }).then(({ status }) => status),
    )
    const waits = tool('wait', () => pass().then(() => 'waited'))
    const usage = { inputTokens: 1, outputTokens: 1 }
    const script: Script = ({ messages }) => {
      const [first] = messages[0]?.content ?? []
      const isHelper = first?.type === 'text' && first.text === 'Help.'
      if (isHelper) return { text: 'Helped.', usage }
      if (messages.at(-1)?.role === 'tool') return { text: 'Done.', usage }
      return { calls: [{ tool: 'hand' }, { tool: 'wait' }], usage }
    }
    const tools = [hands, waits]
    const first = await life({ script, tools })
    void first.session.send('Go.')
    await reached
    const isEnded = () =>
      entriesIn(first.written).some((entry) => entry.startsWith('end'))
    await expect.poll(isEnded).toBe(true)
    const second = await life({ script, tools }, first.written)
    const result = await second.session.resume().result
    expect(result.usage).toMatchObject({ inputTokens: 3, outputTokens: 3 })
  })

  test('has only the wall time that is left', async () => {
    const clock = createFakeClock()
    const { reached, pass } = gate()
    const limits = { maxWallMs: 1_000 }
    const work = tool('write', async () => {
      await clock.advance(900)
      return 'written'
    })
    const script: Script = (request, call) =>
      call === 1 ? steps(request, call) : pass().then(() => ({ text: '' }))
    const first = await life({ clock, limits, script, tools: [work] })
    void first.session.send('Go.')
    await reached
    const again = createFakeClock()
    const second = await life(
      { clock: again, limits, script: hanging },
      first.written,
    )
    const { result } = second.session.resume()
    await expect.poll(() => second.model.requests).toHaveLength(1)
    await again.advance(100)
    expect(await result).toMatchObject({ status: 'limited' })
  })

  test.each(crashes)(
    'goes on with a journal of the version before, which has less in it: %d',
    async (count) => {
      const before = ofBefore(whole.writes.slice(0, count))
      const { session } = await life({}, before)
      const { status, text } = await session.resume().result
      expect(status).toBe('succeeded')
      expect(text).toBe('Done.')
    },
  )
})
