import { type Hook, proceed } from 'hookline'
import {
  type AgentEvent,
  type HookEdit,
  type PointName,
  points,
} from 'hookline/lifecycle'
import { describe, expect, test } from 'vitest'
import type { Core } from '../index.ts'
import { openStage, type StageOptions } from '../runtime/fixtures/stage.ts'
import { tool } from '../runtime/fixtures/tools.ts'
import { type Script, scriptedModel } from '../testing/index.ts'
import { type Edit, edits, others, policyValue } from './fixtures/edits.ts'

const helper = { name: 'helper', model: 'second', instructions: '' }

const tools = [
  tool('act', () => 'Acted.', 'mutating'),
  tool('hand', async (_, context) => {
    const { status } = await context.delegate({ agent: helper, task: 'Help.' })
    return status
  }),
]

const calling =
  (name: string): Script =>
  (_, call) =>
    call === 1 ? { calls: [{ tool: name }] } : { text: 'Done.' }

const failing: Script = () => ({ error: { code: 'overloaded' } })

const foreign: Core = {
  type: 'foreign',
  honours: ['runtime.turn_pre_context'],
  async run(turn) {
    await turn.externalContext()
    return { type: 'end', status: 'succeeded', reply: [] }
  },
}

function scriptFor(point: PointName): Script {
  if (point === 'llm.error' || point === 'turn.error') return failing
  return calling(point.startsWith('subagent.') ? 'hand' : 'act')
}

/** What is told of edits in a turn, and a compaction, with these hooks. */
async function told(
  point: PointName,
  hooks: readonly Hook[],
): Promise<readonly AgentEvent[]> {
  const core = point === 'runtime.turn_pre_context' ? 'foreign' : 'loop'
  const options: StageOptions = {
    config: { core, compaction: { keepMessages: 1 } },
    cores: [foreign],
    models: { second: scriptedModel(() => ({ text: 'Done.' })) },
    ...{ hooks, tools },
  }
  const stage = await openStage(scriptFor(point), options)
  const said = stage.say('Go.')
  // A model that takes the place of another is waited for, if not for long.
  for (let tick = 0; tick < 20; tick++) await stage.clock.advance(0)
  await said
  if (point.startsWith('compaction.')) await stage.session.compact()
  await stage.close()
  return stage.events
}

/** Does something the first time that it is asked, and then nothing. */
function once([point, way, , run]: Edit, author: string): Hook {
  const on = points[point]
  const changes = way === 'transform' || way === 'replace'
  let isDone = false
  return {
    ...{ name: author, on, writes: changes, beforeWrites: !changes },
    capabilities: [...on.kinds.keys()],
    run(input, context) {
      if (isDone) return proceed
      isDone = true
      return run(input, context)
    },
  }
}

/** Another one there, which does nothing. */
function bystander(point: PointName, priority: number): Hook {
  const run = () => proceed
  const on = points[point]
  return { name: 'bystander', on, priority, beforeWrites: true, run }
}

const types = ['hook-inject', 'hook-replace', 'hook-withhold']

function isEdit(event: AgentEvent): event is AgentEvent & HookEdit {
  return types.includes(event.type)
}

function describeEdit({ type, subject, id, hook, point }: HookEdit): string {
  const about = id === undefined ? subject : `${subject} ${id}`
  return `${type} ${about} by ${hook} at ${point}`
}

describe.each(edits)(
  'what a hook does at %s by %s is one event, with its author',
  (...edit) => {
    const [point, , what] = edit
    test.each([
      ['author', 'before', 200],
      ['other', 'after', 1],
    ])('%s, %s one that does nothing', async (author, _, priority) => {
      const hooks = [once(edit, author), bystander(point, priority)]
      const events = await told(point, hooks)
      const lines = events.filter(isEdit).map(describeEdit)
      expect(lines).toEqual([`${what} by ${author} at ${point}`])
    })
  },
)

test('a hook that must not fail, and does, has kept the result out', async () => {
  const hook: Hook = {
    ...{ name: 'author', on: points['tool.post_call'], onFailure: 'required' },
    run: () => {
      throw new Error('broken')
    },
  }
  const events = await told('tool.post_call', [hook])
  expect(events.filter(isEdit).map(describeEdit)).toEqual([
    'hook-withhold result call-1 by author at tool.post_call',
  ])
})

test('of a policy is told which it is, and never what it says', async () => {
  const hooks = edits
    .filter(([point]) => point === 'turn.pre_policy')
    .map((edit) => once(edit, 'author'))
  const events = await told('turn.pre_policy', hooks)
  expect(events.filter(isEdit)).toHaveLength(1)
  expect(JSON.stringify(events)).not.toContain(policyValue)
})

test('what hooks do not do is not told', async () => {
  for (const point of new Set(edits.map(([point]) => point))) {
    const events = await told(point, [bystander(point, 1)])
    expect(events.filter(isEdit)).toEqual([])
  }
})

/** They decide what goes on, or are for people and records. */
const elsewhere = ['ask', 'endTurn', 'notice', 'audit', 'job']

describe('every answer and every contribution is shown here, or is no edit', () => {
  const shown = new Set(edits.map(([point, way]) => `${point} ${way}`))
  const ways = Object.values(points).flatMap(({ name, answers, kinds }) =>
    [...answers, ...kinds.keys()]
      .filter((way) => !elsewhere.includes(way))
      .map((way) => `${name} ${way}`),
  )
  test.each(ways)('%s', (way) => {
    expect(shown.has(way)).toBe(!(way in others))
  })
})
