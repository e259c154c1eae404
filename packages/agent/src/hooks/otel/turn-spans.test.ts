import * as api from '@opentelemetry/api'
import type { AgentEvent } from 'hookline/lifecycle'
import { expect, test } from 'vitest'
import { fakeTracers } from './fixtures/fake-telemetry.ts'
import { TurnSpans } from './turn-spans.ts'

function startOf(seq: number): AgentEvent {
  const place = { seq, sessionId: 'a', turnId: `turn-${seq}`, path: ['main'] }
  return { ...place, type: 'turn-start', turn: seq, origin: 'user' }
}

test('turns whose end was never heard keep no later one from having a span', () => {
  const { provider, spans } = fakeTracers()
  const turns = new TurnSpans(api, provider.getTracer('test'))
  for (let at = 0; at <= 10_000; at++) turns.take(startOf(at))
  expect(spans).toHaveLength(10_001)
  const isEnded = spans.map(({ ends }) => ends === 1)
  expect(isEnded.indexOf(true)).toBe(0)
  expect(isEnded.lastIndexOf(true)).toBe(0)
})
