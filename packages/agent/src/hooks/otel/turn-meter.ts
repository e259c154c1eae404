import type { Meter } from '@opentelemetry/api'
import type { AgentEvent } from 'hookline/lifecycle'

/** Counts turns and tokens, with the names of the GenAI conventions. */
export function createTurnMeter(meter: Meter): (event: AgentEvent) => void {
  const tokens = meter.createHistogram('gen_ai.client.token.usage', {
    unit: '{token}',
  })
  const turns = meter.createCounter('hookline.turns')
  return (event) => {
    if (event.type === 'turn-end') {
      turns.add(1, { 'hookline.turn.status': event.status })
    }
    if (event.type !== 'usage-delta') return
    const { model, usage } = event
    const about = { 'gen_ai.request.model': model }
    const record = (count: number, type: string) =>
      tokens.record(count, { ...about, 'gen_ai.token.type': type })
    record(usage.inputTokens, 'input')
    record(usage.outputTokens, 'output')
  }
}
