import { createFakeClock } from 'hookline/testing'
import { afterEach, expect, test } from 'vitest'
import {
  createSignals,
  type HubOptions,
  type OwnSignals,
  type SignalEars,
} from './signal-hub.ts'

const opened: OwnSignals[] = []
afterEach(async () => {
  await Promise.all(opened.splice(0).map((signals) => signals.close()))
})

function open(options: Partial<HubOptions> = {}) {
  const clock = createFakeClock()
  const signals = createSignals({ clock, ...options })
  opened.push(signals)
  const calls: string[] = []
  const follow = (topic: string, more?: { isPolled?: boolean }) =>
    signals.on(topic, () => void calls.push(topic), more)
  return { clock, signals, calls, follow }
}

/** A line to nowhere that tests speak into. */
function openLine() {
  const told: string[] = []
  let ears: SignalEars | undefined
  const hub = open({
    connect(given) {
      ears = given
      return {
        listen: () => {},
        tell: (topic) => void told.push(topic),
        close: async () => {},
      }
    },
  })
  if (ears === undefined) throw new Error('It was not connected.')
  return { ...hub, told, ears }
}

const soon = async () => await Promise.resolve()

test('a word is heard by those who listen to its topic', async () => {
  const { signals, calls, follow } = open()
  follow('a')
  follow('b')
  const stop = follow('a')
  signals.tell('a')
  await soon()
  expect(calls).toEqual(['a', 'a'])
  stop()
  signals.tell('a')
  signals.tell('c')
  await soon()
  expect(calls).toEqual(['a', 'a', 'a'])
})

test('a thousand words in a row are one call', async () => {
  const { signals, calls, follow } = open()
  follow('a')
  for (let count = 0; count < 1_000; count++) signals.tell('a')
  await soon()
  expect(calls).toEqual(['a'])
})

test('whoever stops listening meanwhile is not called any more', async () => {
  const { signals, calls, follow } = open()
  const stop = follow('a')
  signals.tell('a')
  stop()
  await soon()
  expect(calls).toEqual([])
})

test('a listener that throws is told of, and harms no other', async () => {
  const errors: unknown[] = []
  const { signals, calls, follow } = open({
    onError: (error) => errors.push(error),
  })
  signals.on('a', () => {
    throw new Error('no')
  })
  follow('a')
  signals.tell('a')
  await soon()
  expect(calls).toEqual(['a'])
  expect(errors).toEqual([new Error('no')])
})

test('a listener may tell, and is then called again', async () => {
  const { signals, calls, follow } = open()
  let left = 3
  signals.on('a', () => {
    left -= 1
    if (left > 0) signals.tell('a')
    else signals.tell('b')
  })
  follow('b')
  signals.tell('a')
  for (let turn = 0; turn < 10; turn++) await soon()
  expect([left, calls]).toEqual([0, ['b']])
})

test('F171 every now and then all look for themselves, but for those who do anyway', async () => {
  const { clock, calls, follow } = open({ pollMs: 1_000 })
  follow('a')
  follow('b', { isPolled: false })
  await clock.advance(999)
  expect(calls).toEqual([])
  await clock.advance(1)
  await soon()
  await clock.advance(1_000)
  await soon()
  expect(calls).toEqual(['a', 'a'])
})

test('nobody is woken where nobody listens', async () => {
  const { clock, follow } = open()
  const stop = follow('a')
  stop()
  stop()
  expect(clock.pending).toBe(0)
})

test('what is heard from others is told here, and not told again', async () => {
  const { signals, calls, follow, told, ears } = openLine()
  follow('a')
  follow('b', { isPolled: false })
  ears.heard('a')
  ears.heard('a')
  ears.heard('none')
  await soon()
  expect([calls, told]).toEqual([['a'], []])
  signals.tell('b')
  await soon()
  expect([calls, told]).toEqual([['a', 'b'], ['b']])
})

test('F171 when words may have been lost, all who listen look', async () => {
  const { calls, follow, ears } = openLine()
  follow('a')
  follow('b', { isPolled: false })
  ears.heardAll()
  await soon()
  expect(calls).toEqual(['a', 'b'])
})

test('a topic may be of any length', async () => {
  const { signals, calls, follow, told } = openLine()
  const long = 'x'.repeat(100_000)
  follow(long)
  follow(`${long}y`)
  signals.tell(long)
  await soon()
  expect(calls).toEqual([long])
  expect(told[0]?.length).toBeLessThan(100)
})

test('what is closed says nothing, and hears nothing', async () => {
  const { clock, signals, calls, follow, told } = openLine()
  follow('a')
  signals.tell('a')
  await signals.close()
  await soon()
  signals.tell('a')
  follow('a')
  await clock.advance(5_000)
  await soon()
  expect([calls, told, clock.pending]).toEqual([[], ['a'], 0])
})

test('a pause that is none is refused', () => {
  for (const pollMs of [0, -1, Number.NaN, Infinity]) {
    const opening = () => createSignals({ clock: createFakeClock(), pollMs })
    expect(opening).toThrow(
      expect.objectContaining({ code: 'invalid-options' }),
    )
  }
})
