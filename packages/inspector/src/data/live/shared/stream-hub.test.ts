import { ProtocolError } from '@hookline/daemon/client'
import { afterEach, beforeEach, expect, onTestFinished, test, vi } from 'vitest'
import type { StreamItem } from '../../protocol.ts'
import type { FromHub, ToHub } from './port-messages.ts'
import { StreamHub } from './stream-hub.ts'

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval', 'performance'] })
})
afterEach(() => {
  vi.useRealTimers()
})

const soon = { timeout: 30_000 }

/** A stream that tells what it is given, until it is cut or nobody reads. */
class Source {
  readonly #items: StreamItem[] = []
  #wake = () => {}
  #error: Error | undefined
  isRead = true

  tell(...items: StreamItem[]): void {
    this.#items.push(...items)
    this.#wake()
  }

  cut(error: Error): void {
    this.#error = error
    this.#wake()
  }

  async *read(signal: AbortSignal): AsyncGenerator<StreamItem> {
    signal.addEventListener('abort', () => this.#wake())
    while (!signal.aborted) {
      const item = this.#items.shift()
      if (item !== undefined) yield item
      else if (this.#error !== undefined) throw this.#error
      else {
        await new Promise<void>((resolve) => {
          this.#wake = resolve
        })
      }
    }
    this.isRead = false
  }
}

function openHub() {
  const sources: Source[] = []
  const hub = new StreamHub({
    open: (_, signal, onOpen) => {
      const source = new Source()
      sources.push(source)
      onOpen()
      return source.read(signal)
    },
  })
  return { hub, sources }
}

interface Page {
  readonly heard: FromHub[]
  readonly say: (word: ToHub) => void
}

/** A page that says of nothing that it was read, unless it reads along. */
function attach(
  hub: StreamHub,
  options: { token?: string; sessionId?: string; reads?: boolean } = {},
): Page {
  const { token = 'one', sessionId, reads = true } = options
  const { port1, port2 } = new MessageChannel()
  const heard: FromHub[] = []
  port1.onmessage = ({ data }: MessageEvent<FromHub>) => {
    heard.push(data)
    if (reads) port1.postMessage('read')
  }
  onTestFinished(() => port1.close())
  hub.attach(port2, { token, sessionId })
  return { heard, say: (word) => port1.postMessage(word) }
}

const notice = (name: string, sessionId?: string): StreamItem => ({
  type: 'notice',
  cursor: name,
  at: 0,
  name,
  ...(sessionId !== undefined && { data: { sessionId } }),
})

const names = ({ heard }: Page) =>
  heard.flatMap((one) =>
    one.type === 'item' && one.item.type === 'notice' ? [one.item.name] : [],
  )
const ends = ({ heard }: Page) =>
  heard.flatMap((one) => (one.type === 'end' ? [one.code] : []))

test('one stream for all that have the same login, each with what it asked for', async () => {
  const { hub, sources } = openHub()
  const all = attach(hub)
  const one = attach(hub, { sessionId: 's' })
  sources[0]?.tell(notice('a'), notice('b', 's'), notice('c', 'other'))
  await expect.poll(() => names(all), soon).toEqual(['a', 'b', 'c'])
  expect(names(one)).toEqual(['b'])
  expect(sources).toHaveLength(1)
  all.say('leave')
  sources[0]?.tell(notice('d', 's'))
  await expect.poll(() => names(one), soon).toEqual(['b', 'd'])
  one.say('leave')
  await expect.poll(() => sources[0]?.isRead, soon).toBe(false)
})

test('a stream that is cut off is told with its reason, and is opened anew by whoever comes back', async () => {
  const { hub, sources } = openHub()
  const page = attach(hub)
  sources[0]?.cut(new ProtocolError('no-token', 'It is over.'))
  await expect.poll(() => ends(page), soon).toEqual(['no-token'])
  const again = attach(hub)
  sources[1]?.tell(notice('a'))
  await expect.poll(() => names(again), soon).toEqual(['a'])
})

test('who reads too slowly is let go of, and nobody waits for them', async () => {
  const { hub, sources } = openHub()
  const slow = attach(hub, { reads: false })
  const page = attach(hub)
  const batch = Array.from({ length: 1_000 }, () => notice('a'))
  for (let batches = 1; batches <= 6; batches++) {
    sources[0]?.tell(...batch)
    await expect.poll(() => names(page).length, soon).toBe(batches * 1_000)
  }
  await expect.poll(() => ends(slow), soon).toEqual(['too-slow'])
  expect(names(slow).length).toBeLessThanOrEqual(5_000)
  expect(ends(page)).toEqual([])
})

test('a page of which nothing is heard is gone, and its stream with it', async () => {
  const { hub, sources } = openHub()
  const dead = attach(hub, { reads: false })
  const alive = attach(hub, { token: 'two' })
  for (let beats = 0; beats < 26; beats++) {
    // First that it is open, then one beat after the other.
    await expect.poll(() => alive.heard.length, soon).toBe(1 + beats)
    vi.advanceTimersByTime(5_000)
  }
  await expect.poll(() => ends(dead), soon).toEqual(['too-slow'])
  await expect.poll(() => sources[0]?.isRead, soon).toBe(false)
  expect(sources[1]?.isRead).toBe(true)
})

test('so many logins as leave connections for the rest, and the next is told why', async () => {
  const { hub, sources } = openHub()
  const first = attach(hub, { token: 'a' })
  for (const token of ['b', 'c']) attach(hub, { token })
  const fourth = attach(hub, { token: 'd' })
  await expect.poll(() => ends(fourth), soon).toEqual(['too-many'])
  first.say('leave')
  await expect.poll(() => sources[0]?.isRead, soon).toBe(false)
  const again = attach(hub, { token: 'd' })
  await expect.poll(() => again.heard[0]?.type, soon).toBe('open')
})
