import { defineHook, type Hook, proceed } from 'hookline'
import {
  type AgentConfig,
  type AgentEvent,
  promptContext,
  promptSection,
  sessionStart,
  subagentStart,
  turnPrePromptCompile,
  turnPrePromptContext,
} from 'hookline/lifecycle'
import { describe, expect, test } from 'vitest'
import type { BackgroundTask } from '../index.ts'
import { eventsOf, mainConfig, openStage } from '../runtime/fixtures/stage.ts'
import { tool } from '../runtime/fixtures/tools.ts'

const small: AgentConfig['budgets'] = {
  context: { maxEntries: 2, maxCodePoints: 5 },
  sections: { maxSections: 2, maxSectionCodePoints: 4, maxCodePoints: 6 },
}
const large: AgentConfig['budgets'] = {
  context: { maxEntries: 20, maxCodePoints: 40_000 },
  sections: {
    maxSections: 20,
    maxSectionCodePoints: 20_000,
    maxCodePoints: 40_000,
  },
}

const done = [{ text: 'Done.' }]

/** Contributes these texts at a moment that takes context. */
function telling(
  on: typeof sessionStart | typeof subagentStart | typeof turnPrePromptContext,
  ...texts: readonly string[]
): Hook {
  const hook = defineHook({
    name: 'telling',
    // They are alike in what this hook does with them.
    on: on as typeof sessionStart,
    capabilities: ['context'],
    run: (_, { contribute }) => {
      for (const [index, content] of texts.entries()) {
        contribute(promptContext({ id: `${index}`, domain: 'd', content }))
      }
      return proceed
    },
  })
  return hook
}

/** The same with sections of the system prompt. */
function writing(...texts: readonly string[]): Hook {
  const hook = defineHook({
    name: 'writing',
    on: turnPrePromptCompile,
    capabilities: ['section'],
    run: (_, { contribute }) => {
      for (const [index, content] of texts.entries()) {
        contribute(promptSection({ section: `s${index}`, content }))
      }
      return proceed
    },
  })
  return hook
}

function injected(events: readonly AgentEvent[]) {
  return eventsOf(events, 'hook-inject').map(({ text }) => text)
}

const long = Array.from({ length: 20 }, () => 'x'.repeat(2_000))

describe.each([
  ['when its session begins', sessionStart],
  ['in each turn', turnPrePromptContext],
])('what hooks tell an agent %s', (_, on) => {
  test('is as much as its config says, by number and by size', async () => {
    const hooks = [telling(on, 'aaa', 'bbb', 'ccc')]
    const config = { budgets: small }
    const { say, events } = await openStage(done, { hooks, config })
    await say('Hi.')
    expect(injected(events)).toEqual(['aaa', 'bb'])
  })

  test('may be more than the default', async () => {
    const hooks = [telling(on, ...long)]
    const config = { budgets: large }
    const { say, events } = await openStage(done, { hooks, config })
    await say('Hi.')
    expect(injected(events)).toEqual(long)
  })
})

test('what hooks write into the system prompt is as much as the config of the agent says', async () => {
  const hooks = [writing('abcdef', 'ghijkl', 'm')]
  const config = { budgets: small }
  const { say, events } = await openStage(done, { hooks, config })
  await say('Hi.')
  expect(injected(events)).toEqual(['abcd', 'gh'])
})

test('what hooks write into the system prompt may be more than the default', async () => {
  const hooks = [writing(...long)]
  const { say, events } = await openStage(done, {
    ...{ hooks, config: { budgets: large } },
  })
  await say('Hi.')
  expect(injected(events)).toEqual(long)
})

describe('what a sub-agent is told with its task', () => {
  const helper = { ...mainConfig, name: 'helper', budgets: small }
  const hooks = [telling(subagentStart, 'aaa', 'bbb', 'ccc')]

  test('is as much as its own config says', async () => {
    const hand = tool('hand', async (_, context) => {
      const result = await context.delegate({ agent: helper, task: 'Help.' })
      return result.status
    })
    const { say, events } = await openStage(
      [{ calls: [{ tool: 'hand' }] }, ...done, ...done],
      { hooks, tools: [hand] },
    )
    await say('Go.')
    expect(injected(events)).toEqual(['aaa', 'bb'])
  })

  test('is so, too, where nobody waits for it', async () => {
    const kept: BackgroundTask[] = []
    const hand = tool('hand', async (_, context) => {
      const { type } = await context.handOn({ agent: 'helper', task: 'Help.' })
      return type
    })
    const { say, runtime } = await openStage(
      [{ calls: [{ tool: 'hand' }] }, ...done],
      {
        ...{ hooks, tools: [hand] },
        background: { begin: async (task) => void kept.push(task) },
      },
    )
    await runtime.register(helper)
    await say('Go.')
    const told = kept.flatMap(({ task }) => task.context)
    expect(told.map(({ content }) => content)).toEqual(['aaa', 'bb'])
  })
})

test('the manifest has the budgets of the agent', async () => {
  const hooks = [writing('ab'), telling(turnPrePromptContext, 'cd')]
  const config = { budgets: small }
  const { say, events } = await openStage(done, { hooks, config })
  await say('Hi.')
  const [prompt] = eventsOf(events, 'prompt')
  // As its session began, and in two phases of the turn.
  expect(prompt?.manifest.budgets).toEqual({ section: 6, context: 15 })
})

test.each([
  [{ context: { maxEntries: 0 } }, 'maxEntries'],
  [{ context: { maxItems: 1 } }, 'maxItems'],
  [{ sections: { maxCodePoints: Number.NaN } }, 'maxCodePoints'],
  [{ section: { maxCodePoints: 1 } }, '"section"'],
])('an agent with the budgets %j is refused', async (budgets, problem) => {
  // What types would refuse comes from files.
  const config = { budgets } as Partial<AgentConfig>
  await expect(openStage(done, { config })).rejects.toThrow(problem)
})
