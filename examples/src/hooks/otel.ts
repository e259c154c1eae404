import assert from 'node:assert/strict'
import { createAgent } from '@hookline/agent'
import { scriptedModel } from '@hookline/agent/testing'
import { createNoopMeter, metrics } from '@opentelemetry/api'

// Stands for the SDK that a program sets up; it keeps what is counted.
const counted: string[] = []
metrics.setGlobalMeterProvider({
  getMeter: () =>
    Object.assign(createNoopMeter(), {
      createCounter: (name: string) => ({
        add: (value: number) => counted.push(`${name} ${value}`),
      }),
    }),
})

// #region otel
import { otel } from '@hookline/agent/hooks'

const agent = createAgent({
  model: scriptedModel([{ text: 'Hello.' }]),
  plugins: [otel({ serviceName: 'support-agent' })],
})
// #endregion

await agent.run('Hello?').result
await agent.runtime.drain()
assert.deepEqual(counted, ['hookline.turns 1'])
console.log(counted.join('\n'))
await agent.close()
