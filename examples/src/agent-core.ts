import assert from 'node:assert/strict'
import { AgentError } from '@hookline/agent'
import { scriptedModel } from '@hookline/agent/testing'
import { defineHook, proceed } from 'hookline'
import { toolGuard } from 'hookline/lifecycle'
import { describeEvent } from './support/describe-event.ts'

const model = scriptedModel([
  { text: 'Four.', chunks: 1, calls: [{ tool: 'calculator' }] },
])
const watchTools = defineHook({
  name: 'watch-tools',
  on: toolGuard,
  run: () => proceed,
})

// #region agent-core
import { type Core, createAgent } from '@hookline/agent'

/** Asks the model once, and never calls a tool. */
const singleShot: Core = {
  type: 'single-shot',
  honours: ['llm.pre_call', 'llm.post_call', 'llm.error'],
  async run(turn) {
    await turn.compilePrompt()
    const limit = await turn.beginStep()
    if (limit !== undefined) return limit
    const reply = await turn.callModel()
    if (reply.type === 'end') return reply
    const { content } = reply.response
    const said = content.filter((block) => block.type === 'text')
    return { type: 'end', status: 'succeeded', reply: said }
  },
}

const agent = createAgent({ model, cores: [singleShot], core: 'single-shot' })
// #endregion

for await (const event of agent.run('What is two and two?')) {
  console.log(describeEvent(event))
}
await agent.close()

// #region agent-core-refusal
const guarded = createAgent({
  model,
  cores: [singleShot],
  core: 'single-shot',
  hooks: [watchTools], // on tool.guard, which this core never passes
})
await guarded.run('Hi.').result.catch((error) => console.log(error.message))
// #endregion

await assert.rejects(guarded.openSession(), (error: unknown) => {
  return error instanceof AgentError && error.code === 'point-not-honoured'
})
