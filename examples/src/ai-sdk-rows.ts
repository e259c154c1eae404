// The rows of the table in docs/guide/from-ai-sdk.md, held against the real
// package: the same steps there and here, and what is said at each of them.
import assert from 'node:assert/strict'
import { createMemoryApprovals } from '@hookline/agent'
import {
  generateText,
  isStepCount,
  type LanguageModelMiddleware,
  tool,
  wrapLanguageModel,
} from 'ai'
import { MockLanguageModelV4 } from 'ai/test'
import { ask, defineHook, endTurn, respond } from 'hookline'
import {
  llmPostCall,
  llmPreCall,
  toolGuard,
  toolPostBatch,
  toolPostCall,
  toolPreCall,
} from 'hookline/lifecycle'
import { z } from 'zod'
import { pointsPassed, runOurs, type Said } from './support/run-ours.ts'

const usage = {
  inputTokens: { total: 1, noCache: 1, cacheRead: 0, cacheWrite: 0 },
  outputTokens: { total: 1, text: 1, reasoning: 0 },
}

function modelOfTheirs(said: Said) {
  let calls = 0
  return new MockLanguageModelV4({
    doGenerate: async () => {
      const text = said[calls++] ?? ''
      const isCall = text === 'look'
      const unified = isCall ? ('tool-calls' as const) : ('stop' as const)
      return {
        content: isCall
          ? [
              {
                type: 'tool-call' as const,
                toolCallId: 'a',
                toolName: 'look',
                input: '{}',
              },
            ]
          : [{ type: 'text' as const, text }],
        finishReason: { unified, raw: unified },
        usage,
        warnings: [],
      }
    },
  })
}

// Every moment, in the order in which it comes.
const there: string[] = []
const watching: LanguageModelMiddleware = {
  specificationVersion: 'v4',
  transformParams: async ({ params }) => {
    there.push('transformParams')
    return params
  },
  wrapGenerate: async ({ doGenerate }) => {
    const result = await doGenerate()
    there.push('wrapGenerate')
    return result
  },
}
await generateText({
  model: wrapLanguageModel({
    model: modelOfTheirs(['look', 'Done.']),
    middleware: watching,
  }),
  prompt: 'Go.',
  stopWhen: isStepCount(5),
  tools: {
    look: tool({
      description: 'Looks.',
      inputSchema: z.object({}),
      execute: () => 'seen',
    }),
  },
  onToolExecutionStart: () => void there.push('onToolExecutionStart'),
  onToolExecutionEnd: () => void there.push('onToolExecutionEnd'),
  onStepEnd: ({ toolCalls }) =>
    void (toolCalls.length > 0 && there.push('onStepEnd, with calls')),
  onEnd: () => void there.push('onEnd'),
})

const here = await pointsPassed(
  ['look', 'Done.'],
  [llmPreCall, llmPostCall, toolPreCall, toolPostCall, toolPostBatch],
)

/** The table of the guide: where something is there, and where it is here. */
const rows: Readonly<Record<string, string>> = {
  transformParams: 'llm.pre_call',
  wrapGenerate: 'llm.post_call',
  onToolExecutionStart: 'tool.pre_call',
  onToolExecutionEnd: 'tool.post_call',
  'onStepEnd, with calls': 'tool.post_batch',
  onEnd: 'turn.post_turn',
}
assert.deepEqual(
  here,
  there.map((moment) => rows[moment] ?? `no row for ${moment}`),
)

// A cached reply: the model is not called.
const provider = modelOfTheirs(['Asked.'])
const cache: LanguageModelMiddleware = {
  specificationVersion: 'v4',
  wrapGenerate: async () => ({
    content: [{ type: 'text', text: 'Known.' }],
    finishReason: { unified: 'stop', raw: 'stop' },
    usage,
    warnings: [],
  }),
}
const model = wrapLanguageModel({ model: provider, middleware: cache })
const cachedThere = await generateText({ model, prompt: 'Go.' })
const known = defineHook({
  name: 'known',
  on: llmPreCall,
  run: () =>
    respond({
      content: [{ type: 'text', text: 'Known.' }],
      stopReason: 'end_turn',
      usage: { inputTokens: 0, outputTokens: 0 },
    }),
})
const cachedHere = await runOurs(['Asked.'], [known])
assert.deepEqual(
  [cachedThere.text, cachedHere.result.text],
  ['Known.', 'Known.'],
)
assert.deepEqual([provider.doGenerateCalls.length, cachedHere.calls], [0, 0])

// toolApproval: it stops and hands the question to its caller there; here the
// turn waits for whoever answers.
const asking = await generateText({
  model: modelOfTheirs(['look', 'Done.']),
  prompt: 'Go.',
  stopWhen: isStepCount(5),
  toolApproval: { look: 'user-approval' },
  tools: {
    look: tool({
      description: 'Looks.',
      inputSchema: z.object({}),
      execute: () => 'seen',
    }),
  },
})
assert.ok(asking.content.some(({ type }) => type === 'tool-approval-request'))
const asked: string[] = []
const asks = defineHook({
  name: 'asks',
  on: toolGuard,
  run: () => ask('May it look?'),
})
const approvals = createMemoryApprovals({
  onQuestion: ({ question }) => {
    asked.push(question.call.tool)
    approvals.answer(question.id, { type: 'allow' }, 'ann')
  },
})
const answered = await runOurs(['look', 'Done.'], [asks], { approvals })
assert.deepEqual([asked, answered.result.text], [['look'], 'Done.'])

// stopWhen: after the tools of the first step, no further call of the model.
const stopped = modelOfTheirs(['look', 'Done.'])
await generateText({
  model: stopped,
  prompt: 'Go.',
  stopWhen: isStepCount(1),
  tools: { look: tool({ inputSchema: z.object({}), execute: () => 'seen' }) },
})
const enough = defineHook({
  name: 'enough',
  on: toolPostBatch,
  run: () => endTurn('One step is enough.'),
})
const ended = await runOurs(['look', 'Done.'], [enough])
assert.deepEqual([stopped.doGenerateCalls.length, ended.calls], [1, 1])
console.log(`${there.length} moments there, ${here.length} points here`)
