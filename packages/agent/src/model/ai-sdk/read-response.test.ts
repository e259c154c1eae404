import { setTimeout as sleep } from 'node:timers/promises'
import { describe, expect, test } from 'vitest'
import { fromAiSdk } from '../ai-sdk.ts'
import { ask, callOf } from '../fixtures/asking.ts'
import { finish, scriptedModel } from '../fixtures/scripted-stream.ts'
import { type WireModel, wireModels } from '../fixtures/wire-models.ts'
import {
  heldAfter,
  streamed,
  type WireEvent,
} from '../fixtures/wire-replies.ts'
import { startWireServer } from '../fixtures/wire-server.ts'
import type { AiSdkModel } from './model-shape.ts'

describe.each(wireModels)('$title', (wire) => {
  const events = wire.events({ text: ['Hel', 'lo', ' you'] })

  test('an abort in the middle closes the connection, and is the reason thrown', async () => {
    await using server = await startWireServer(heldAfter(5, events))
    const caller = new AbortController()
    const model = fromAiSdk(wire.connect(server.url))
    const reason = new Error('Nobody listens.')
    const options = callOf(() => caller.abort(reason), caller.signal)
    const call = Promise.resolve(model.generate(ask('Hello.'), options))
    await expect(call).rejects.toBe(reason)
    await server.requests[0]?.gone
  })

  test('an abort before anything came closes the connection', async () => {
    const caller = new AbortController()
    const reason = new Error('Nobody listens.')
    await using server = await startWireServer(() => caller.abort(reason))
    const model = fromAiSdk(wire.connect(server.url))
    const options = callOf(undefined, caller.signal)
    const call = Promise.resolve(model.generate(ask('Hello.'), options))
    await expect(call).rejects.toBe(reason)
    await server.requests[0]?.gone
  })

  test('a deadline is a failure that may be tried again', async () => {
    await using server = await startWireServer(heldAfter(5, events))
    const model = fromAiSdk(wire.connect(server.url))
    const options = callOf(undefined, AbortSignal.timeout(60))
    const call = Promise.resolve(model.generate(ask('Hello.'), options))
    await expect(call).rejects.toMatchObject({
      error: { code: 'timeout', isRetryable: true },
    })
    await server.requests[0]?.gone
  })

  test('a listener that waits keeps the provider waiting', async () => {
    let sent = 0
    const reply = streamed(counted(manyEvents(wire), () => sent++))
    await using server = await startWireServer(reply)
    const { promise: gate, resolve: open } = Promise.withResolvers<void>()
    const model = fromAiSdk(wire.connect(server.url))
    const call = Promise.resolve(
      model.generate(
        ask('Hello.'),
        callOf(() => gate),
      ),
    )
    await expect.poll(() => sent).toBeGreaterThan(0)
    await sleep(150)
    expect(sent).toBeLessThan(CHUNKS)
    open()
    const { content } = await call
    expect(content[0]).toHaveProperty('text.length', CHUNKS * CHUNK.length)
  })

  test('what a listener throws is thrown, and closes the connection', async () => {
    await using server = await startWireServer(heldAfter(5, events))
    const model = fromAiSdk(wire.connect(server.url))
    const options = callOf(() => {
      throw new RangeError('Too much.')
    })
    const call = Promise.resolve(model.generate(ask('Hello.'), options))
    await expect(call).rejects.toThrow(RangeError)
    await server.requests[0]?.gone
  })
})

const CHUNKS = 300
const CHUNK = 'x'.repeat(100_000)

/** More than the buffers between two processes hold. */
function manyEvents(wire: WireModel): readonly WireEvent[] {
  return wire.events({ text: Array.from({ length: CHUNKS }, () => CHUNK) })
}

function* counted<T>(items: Iterable<T>, count: () => void): Generator<T> {
  for (const item of items) {
    yield item
    count()
  }
}

test('a call that was given up before it began asks nobody', async () => {
  let calls = 0
  const model = fromAiSdk(scriptedModel([finish()], { onCall: () => calls++ }))
  const signal = AbortSignal.abort(new Error('Too late.'))
  const call = Promise.resolve(
    model.generate(ask('?'), callOf(undefined, signal)),
  )
  await expect(call).rejects.toThrow('Too late.')
  expect(calls).toBe(0)
})

test('a model that does not heed the signal is not waited for', async () => {
  const caller = new AbortController()
  const opened = Promise.withResolvers<ReadableStream>()
  const deaf: AiSdkModel = {
    ...scriptedModel([]),
    doStream: async () => ({ stream: await opened.promise }),
  }
  const model = fromAiSdk(deaf)
  const call = Promise.resolve(
    model.generate(ask('?'), callOf(undefined, caller.signal)),
  )
  caller.abort(new Error('Enough.'))
  await expect(call).rejects.toThrow('Enough.')
  await new Promise<void>((cancel) => {
    opened.resolve(new ReadableStream({ cancel: () => cancel() }))
  })
})

test('a deadline that passes while a listener waits is a failure as well', async () => {
  const parts = [{ type: 'text-delta', id: '1', delta: 'x' }, finish()]
  const model = fromAiSdk(scriptedModel(parts))
  const options = callOf(
    () => new Promise<void>(() => {}),
    AbortSignal.timeout(10),
  )
  const call = Promise.resolve(model.generate(ask('?'), options))
  await expect(call).rejects.toMatchObject({ error: { code: 'timeout' } })
})

test('a listener that never answers is not waited for after an abort', async () => {
  const caller = new AbortController()
  const parts = [{ type: 'text-delta', id: '1', delta: 'x' }, finish()]
  const never = new Promise<void>(() => {})
  const onPart = () => {
    setTimeout(() => caller.abort(new Error('Enough.')), 5)
    return never
  }
  const model = fromAiSdk(scriptedModel(parts))
  const call = Promise.resolve(
    model.generate(ask('?'), callOf(onPart, caller.signal)),
  )
  await expect(call).rejects.toThrow('Enough.')
})
