import { readdirSync, readFileSync } from 'node:fs'
import { points } from 'hookline/lifecycle'
import { describe, expect, test } from 'vitest'
import { traceDifference } from './fixtures/compare-trace.ts'
import { readTrace, traceNames } from './fixtures/read-trace.ts'
import { playFullTurn } from './fixtures/scenarios/full-turn.ts'
import { scenarios } from './fixtures/scenarios.ts'

const played = Object.entries(scenarios)

test.each(played)('%s goes as its trace says', async (name, play) => {
  const { trace } = await play()
  const difference = traceDifference(name, trace.lines)
  if (difference !== undefined) expect.fail(difference)
})

test.each(played)(
  '%s is told to watchers as it is to hooks at event',
  async (_, play) => {
    const stage = await play()
    const told = await stage.close()
    expect(told).toEqual(stage.trace.events)
    expect(told.length).toBeGreaterThan(0)
  },
)

test('a turn goes the same way every time', async () => {
  const runs = Array.from({ length: 20 }, () => playFullTurn())
  const stages = await Promise.all(runs)
  const traces = stages.map(({ trace }) => trace.lines.join('\n'))
  expect(new Set(traces).size).toBe(1)
})

describe('every point of the lifecycle is shown by a golden trace', () => {
  const shown = new Set(traceNames().flatMap(pointsIn))
  test.each(Object.keys(points))('%s', (name) => {
    expect(shown).toContain(name)
  })
})

/** A line of an event is a dispatch of the point `event`. */
function pointsIn(trace: string): readonly string[] {
  return readTrace(trace).map(({ text }) => {
    const [kind, name = ''] = text.split(' ')
    return kind === 'event' ? 'event' : name
  })
}

test('every trace is one that is played', () => {
  expect(traceNames()).toEqual(Object.keys(scenarios).sort())
})

test('nothing here can write a trace', () => {
  const here = new URL('./', import.meta.url)
  const sources = readdirSync(here, { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.ts') && !file.endsWith('traces.test.ts'))
    .map((file) => readFileSync(new URL(file, here), 'utf8'))
  expect(sources.length).toBeGreaterThan(played.length)
  expect(sources.join('\n')).not.toMatch(/write(File|Sync)|append(File|Sync)/)
  expect(sources.join('\n')).not.toMatch(/Snapshot/)
})

describe('a difference says', () => {
  const lines = readTrace('steering').map(({ text }) => text)

  test('the line of the file, what was expected and what came', () => {
    const wrong = lines.with(1, 'point turn.input "Swim." → proceed')
    expect(traceDifference('steering', wrong)).toMatch(
      [
        'The trace "steering" differs at line 5.',
        '            event turn-start 1 user',
        '  expected: point turn.input "Dig." → proceed',
        '  got:      point turn.input "Swim." → proceed',
      ].join('\n'),
    )
  })

  test('that something is missing at the end', () => {
    expect(traceDifference('steering', lines.slice(0, -1))).toMatch(
      /expected: event turn-end succeeded "Both done\."\n +got: +\(nothing more\)/,
    )
  })

  test('that something came after the end', () => {
    expect(traceDifference('steering', [...lines, 'event gap 1'])).toMatch(
      /differs at its end\.\n(.+\n)*? +expected: \(nothing more\)\n +got: +event gap 1/,
    )
  })

  test('nothing, if there is none', () => {
    expect(traceDifference('steering', lines)).toBeUndefined()
  })
})
