import { describe, expect, test } from 'vitest'
import type { Point } from '../engine/index.ts'
import { points } from './points.ts'

/** The map of the design, by hand: `→` and `←` are serial. */
const map = `
point                              | flow    | answers                                      | takes               | failure
agent.build                        | →       | transform replace                            |                     | required
agent.register                     | →       |                                              |                     | required
agent.unregister                   | ←       |                                              |                     | open
session.start                      | →       | reject                                       | context             | closed
session.end                        | ←       |                                              |                     | open
turn.input                         | →       | transform replace reject                     | context             | closed
turn.pre_turn                      | →       | reject                                       | context             | closed
turn.pre_policy                    | batches |                                              | policy              | open
turn.pre_prompt_context            | batches |                                              | context             | open
turn.pre_tool_materialization      | batches |                                              | tools               | open
turn.post_preflight_prompt_context | batches |                                              | context             | open
turn.pre_prompt_compile            | batches |                                              | section             | open
turn.post_prompt_compile           | observe |                                              |                     | open
llm.pre_call                       | →       | transform replace respond reject endTurn     |                     | closed
llm.post_call                      | ←       | transform replace reject endTurn             |                     | closed
llm.error                          | →       | respond                                      |                     | open
tool.pre_call                      | →       | transform replace respond reject ask endTurn | context restriction | closed
tool.guard                         | →       | reject ask                                   |                     | closed
permission.request                 | →       | respond                                      |                     | open
permission.resolved                | →       |                                              |                     | open
tool.post_call                     | ←       | transform replace reject endTurn             | context             | closed
tool.post_batch                    | →       | endTurn                                      | context             | open
compaction.pre                     | →       | transform replace reject                     |                     | closed
compaction.post                    | ←       |                                              | context             | open
turn.stop                          | →       | keepGoing                                    |                     | open
turn.output                        | ←       | transform replace reject                     |                     | closed
turn.error                         | →       | respond                                      |                     | open
turn.post_turn                     | batches |                                              |                     | open
subagent.start                     | →       | reject                                       | context             | closed
subagent.stop                      | ←       | keepGoing                                    |                     | open
runtime.turn_pre_context           | batches |                                              | context             | open
event                              | observe |                                              |                     | open
`

const everywhere = ['notice', 'audit', 'job']

const rows = map
  .trim()
  .split('\n')
  .slice(1)
  .map((line) => {
    const [name = '', flow = '', answers = '', takes = '', failure = ''] = line
      .split('|')
      .map((cell) => cell.trim())
    return { name, flow, answers: words(answers), takes: words(takes), failure }
  })

function words(text: string): readonly string[] {
  return text.split(' ').filter((word) => word !== '')
}

function flowOf(point: Point): string {
  if (point.flow === 'parallel') return 'batches'
  if (point.flow === 'observe') return 'observe'
  return point.order === 'ascending' ? '→' : '←'
}

const all: Readonly<Record<string, Point>> = points

describe('the points of the lifecycle', () => {
  test('have exactly the names of the map', () => {
    expect(Object.keys(points)).toEqual(rows.map(({ name }) => name))
    expect(Object.values(points).map(({ name }) => name)).toEqual(
      Object.keys(points),
    )
    expect(Object.isFrozen(points)).toBe(true)
  })

  test.each(rows)('$name is as the map says', (row) => {
    const point = all[row.name]
    if (point === undefined) throw new Error(`There is no ${row.name}.`)
    expect({
      name: point.name,
      flow: flowOf(point),
      answers: [...point.answers],
      takes: [...point.kinds.keys()].filter((kind) => !isEverywhere(kind)),
      failure: point.failure,
    }).toEqual(row)
  })

  test.each(Object.values(all))(
    '$name takes notices, audit and jobs, and is matched by agent and origin',
    (point) => {
      expect([...point.kinds.keys()].filter(isEverywhere)).toEqual(everywhere)
      const scope = { agent: 'main', origin: 'hook', coreType: 'native' }
      const read = (name: string) =>
        point.fields.get(name)?.({} as never, scope as never)
      expect([read('agent'), read('origin')]).toEqual(['main', 'hook'])
    },
  )

  test('let answers change one property of the input, never what names it', () => {
    const subjects = Object.values(all)
      .filter(({ subject }) => subject !== undefined)
      .map(({ name, subject }) => [name, subject])
    expect(Object.fromEntries(subjects)).toEqual({
      'agent.build': 'config',
      'turn.input': 'content',
      'llm.pre_call': 'request',
      'llm.post_call': 'response',
      'tool.pre_call': 'args',
      'tool.post_call': 'result',
      'compaction.pre': 'hint',
      'turn.output': 'reply',
    })
    const writable = Object.values(all).filter(({ answers }) =>
      answers.has('transform'),
    )
    expect(writable.map(({ name }) => name)).toEqual(
      subjects.map(([name]) => name),
    )
  })

  test('let a hook answer for the user only if it may approve', () => {
    const withRights = Object.values(all).filter(
      ({ rights }) => rights.size > 0,
    )
    expect(withRights.map(({ name }) => name)).toEqual(['permission.request'])
    expect(all['permission.request']?.rights.get('respond')).toBe('approve')
  })

  test('let hooks hold back what is streamed: a reply, at its two judges', () => {
    const streamed = Object.values(all).filter(({ isStreamed }) => isStreamed)
    expect(streamed.map(({ name }) => name)).toEqual([
      'llm.post_call',
      'turn.output',
    ])
  })

  test('conceal what they withhold, where something is withheld', () => {
    const concealing = Object.values(all).filter(
      ({ conceal }) => conceal !== undefined,
    )
    expect(concealing.map(({ name }) => name)).toEqual([
      'llm.post_call',
      'tool.post_call',
      'turn.output',
    ])
  })

  test('have room for conversations and media where these are the subject', () => {
    const roomy = Object.values(all).filter(
      ({ limits }) => limits.chars === 64 * 1_048_576,
    )
    expect(roomy.map(({ name }) => name)).toEqual([
      'turn.input',
      'llm.pre_call',
      'llm.post_call',
      'llm.error',
      'tool.post_call',
      'compaction.pre',
      'turn.output',
      'turn.error',
    ])
    expect(roomy.every(({ limits }) => limits.keys === 1_000_000)).toBe(true)
  })
})

function isEverywhere(kind: string): boolean {
  return everywhere.includes(kind)
}
