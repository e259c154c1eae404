import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { Dispatcher, type Lane } from './dispatcher.ts'

interface Step {
  readonly name: string
  readonly isAlone: boolean
}

/** Runs that end when the test says so, in the order they were begun. */
function createSteps(size: number) {
  const begun: { names: string[]; lane: Lane; end: () => void }[] = []
  const dispatcher = new Dispatcher<Step>({
    size,
    withoutReserve: false,
    together: { urgent: 4, read: 1, patient: 100 },
    run: (items, lane) =>
      new Promise((end) => {
        begun.push({ names: items.map(({ name }) => name), lane, end })
      }),
  })
  const add = (lane: Lane, ...names: string[]) => {
    for (const name of names) dispatcher.add({ name, isAlone: false }, lane)
  }
  const names = () => begun.map((one) => one.names.join(' '))
  return { dispatcher, begun, add, names }
}

// How long something has waited is for the test to say, not for the machine.
beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] })
})
afterEach(() => void vi.useRealTimers())

const nextTurn = () => new Promise((done) => setImmediate(done))

test('what is added in one turn is spread over the free connections', async () => {
  const { add, names } = createSteps(3)
  add('urgent', 'a', 'b', 'c', 'd', 'e', 'f')
  await nextTurn()
  expect(names()).toEqual(['a b', 'c d', 'e f'])
})

test('what has to wait is done together, but not too many, and what is urgent first', async () => {
  const { add, names, begun } = createSteps(1)
  add('urgent', 'a')
  await nextTurn()
  add('read', 'r')
  add('urgent', 'b', 'c', 'd', 'e', 'f')
  await nextTurn()
  expect(names()).toEqual(['a'])
  for (let index = 0; index < 3; index += 1) {
    begun[index]?.end()
    await nextTurn()
  }
  expect(names()).toEqual(['a', 'b c d e', 'f', 'r'])
})

test('four connections do the work of more, unless they are slow', async () => {
  const { add, names, begun } = createSteps(6)
  for (const name of ['a', 'b', 'c', 'd', 'e', 'f']) {
    add('urgent', name)
    await nextTurn()
  }
  expect(names()).toEqual(['a', 'b', 'c', 'd'])
  begun[0]?.end()
  await nextTurn()
  expect(names()).toEqual(['a', 'b', 'c', 'd', 'e f'])
  add('urgent', 'g')
  vi.advanceTimersByTime(4)
  await nextTurn()
  expect(begun).toHaveLength(5)
  vi.advanceTimersByTime(1)
  expect(names().at(-1)).toBe('g')
})

test('F159 patient work leaves two connections, reads leave one', async () => {
  const { add, dispatcher, begun } = createSteps(4)
  for (let index = 0; index < 4; index += 1) {
    dispatcher.add({ name: 'p', isAlone: true }, 'patient')
    dispatcher.add({ name: 'r', isAlone: true }, 'read')
  }
  const drained = dispatcher.drain()
  await nextTurn()
  expect(begun.map(({ lane }) => lane)).toEqual([
    'read',
    'read',
    'read',
    'patient',
  ])
  begun[0]?.end()
  await nextTurn()
  add('urgent', 'u')
  await nextTurn()
  begun[3]?.end()
  await nextTurn()
  expect(begun.at(-1)?.lane).toBe('urgent')
  while (begun.length > 0) {
    begun.shift()?.end()
    await nextTurn()
  }
  await drained
})

test('what is patient gets its turn however much is urgent', async () => {
  const { add, begun } = createSteps(2)
  add('patient', 'p')
  let count = 0
  while (begun.every(({ lane }) => lane !== 'patient')) {
    // More than can be begun: some are always there to be preferred.
    for (let index = 0; index < 12; index += 1) add('urgent', `u${count}`)
    count += 1
    vi.advanceTimersByTime(1)
    await nextTurn()
    for (const one of begun.splice(0, begun.length - 1)) one.end()
  }
  expect(begun.at(-1)?.names).toEqual(['p'])
  expect(count).toBeGreaterThan(99)
})

test('draining waits for what is added again meanwhile', async () => {
  const done: string[] = []
  const dispatcher: Dispatcher<Step> = new Dispatcher<Step>({
    size: 1,
    withoutReserve: false,
    together: { urgent: 4, read: 1, patient: 4 },
    async run(items, lane) {
      await nextTurn()
      if (items.length === 1) done.push(items[0]?.name ?? '')
      else
        for (const item of items)
          dispatcher.add({ ...item, isAlone: true }, lane)
    },
  })
  for (const name of ['a', 'b', 'c'])
    dispatcher.add({ name, isAlone: false }, 'patient')
  await dispatcher.drain()
  expect(done).toEqual(['a', 'b', 'c'])
})
