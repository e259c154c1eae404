// A model of the AI SDK with its own middleware stays what it is; what has to
// hold for tools and turns, too, becomes hooks.
import assert from 'node:assert/strict'
import { simulateReadableStream } from 'ai'
import { MockLanguageModelV4 } from 'ai/test'

const prompts: string[] = []
const provider = new MockLanguageModelV4({
  doStream: async ({ prompt }) => {
    prompts.push(JSON.stringify(prompt))
    const text = 'The card ends in 1111.'
    return {
      stream: simulateReadableStream({
        chunks: [
          { type: 'stream-start', warnings: [] },
          { type: 'text-start', id: 't' },
          { type: 'text-delta', id: 't', delta: text },
          { type: 'text-end', id: 't' },
          {
            type: 'finish',
            finishReason: { unified: 'stop', raw: 'stop' },
            usage: {
              inputTokens: {
                total: 10,
                noCache: 10,
                cacheRead: 0,
                cacheWrite: 0,
              },
              outputTokens: { total: 5, text: 5, reasoning: 0 },
            },
          },
        ],
      }),
    }
  },
})

// #region ai-sdk
import { type LanguageModelMiddleware, wrapLanguageModel } from 'ai'

const brief: LanguageModelMiddleware = {
  specificationVersion: 'v4',
  transformParams: async ({ params }) => ({ ...params, maxOutputTokens: 100 }),
}
const wrapped = wrapLanguageModel({ model: provider, middleware: brief })

// #endregion

// #region hookline
import { createAgent, fromAiSdk } from '@hookline/agent'
import { defineHook, proceed, transform } from 'hookline'
import { llmPostCall, llmPreCall } from 'hookline/lifecycle'

// transformParams
const brieflyToo = defineHook({
  name: 'brief',
  on: llmPreCall,
  writes: true,
  run: ({ request }) =>
    transform({
      ...request,
      settings: { ...request.settings, maxOutputTokens: 100 },
    }),
})

// wrapGenerate and wrapStream in one: nothing is released before it has spoken
const maskDigits = defineHook({
  name: 'mask-digits',
  on: llmPostCall,
  writes: true,
  run({ response }) {
    if (response === undefined) return proceed
    const content = response.content.map((block) =>
      block.type === 'text'
        ? { ...block, text: block.text.replace(/\d/g, '#') }
        : block,
    )
    return transform({ ...response, content })
  },
})

const agent = createAgent({
  model: fromAiSdk(wrapped),
  hooks: [brieflyToo, maskDigits],
})
// #endregion

const turn = agent.run('Which card is it?')
let streamed = ''
for await (const event of turn) {
  if (event.type === 'text-delta') streamed += event.text
}
await agent.close()
console.log(streamed)
assert.equal(streamed, 'The card ends in ####.')
assert.equal(provider.doStreamCalls[0]?.maxOutputTokens, 100)
assert.match(prompts[0] ?? '', /Which card/)
