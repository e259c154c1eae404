import assert from 'node:assert/strict'

// #region agent-models
import { createModelRegistry, createRuntime } from '@hookline/agent'

const models = createModelRegistry({
  // Beside `anthropic` and `openai`, which need no entry here.
  providers: {
    local: { kind: 'openai-compatible', baseUrl: 'http://localhost:11434/v1' },
    gateway: {
      kind: 'openai-compatible',
      baseUrl: 'https://models.example/v1',
      keyEnv: 'GATEWAY_KEY', // the name of the variable, never the key
    },
  },
})

const runtime = createRuntime({ models })
await runtime.register({
  name: 'helper',
  model: 'local/qwen3:8b',
  instructions: 'Be brief.',
})
// #endregion

console.log(runtime.agents.map(({ name, model }) => `${name}: ${model}`))
delete process.env['GATEWAY_KEY']
const missing = async () => models.resolve('gateway/any')
await assert.rejects(missing, /set the variable "GATEWAY_KEY"/)
await runtime.close()
