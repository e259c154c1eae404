import { defineHook, proceed, reject, transform } from 'hookline'
import {
  llmPostCall,
  llmPreCall,
  type ModelContent,
  turnOutput,
} from 'hookline/lifecycle'
import { describe, expect, test } from 'vitest'
import * as z from 'zod'
import type { Core } from '../index.ts'
import { openStage } from '../runtime/fixtures/stage.ts'

const withholding = defineHook({
  name: 'withholding',
  on: turnOutput,
  run: () => reject('A secret.'),
})

describe('words that no gate has looked at are told to nobody', () => {
  const secret = 'The key is k-1.'

  test('where they are no value that was asked for', async () => {
    const { say, events } = await openStage(
      Array.from({ length: 3 }, () => ({ text: secret })),
      { hooks: [withholding] },
    )
    const result = await say('Where?', { output: z.object({ a: z.number() }) })
    expect(result).toMatchObject({ status: 'failed', text: '', reply: [] })
    expect(JSON.stringify(events)).not.toContain('k-1')
  })

  test.each([
    'failed',
    'limited',
    'cancelled',
    'rejected',
    'withheld',
  ] as const)('where a core says that its turn has %s', async (status) => {
    const text = status === 'withheld' ? '[withheld: So.]' : ''
    const core: Core = {
      type: 'own',
      honours: [],
      run: async () => ({
        type: 'end',
        status,
        reply: [{ type: 'text', text: secret }],
        reason: 'So.',
      }),
    }
    const { say, events, session } = await openStage([], {
      cores: [core],
      config: { core: 'own' },
      hooks: [withholding],
    })
    expect(await say('Go.')).toMatchObject({ status, text })
    expect(JSON.stringify([events, session.messages])).not.toContain(secret)
  })
})

describe('what a provider wants back', () => {
  const providerData = { openai: { itemId: 'msg_1' } }
  const said: ModelContent = [
    { type: 'text', text: 'The key is k-1.', providerData },
    { type: 'text', text: 'That is all.', providerData },
  ]
  const redacted = (text: string) => text.replaceAll('k-1', '[…]')
  const expected = [
    { type: 'text', text: 'The key is […].' },
    { type: 'text', text: 'That is all.', providerData },
  ]
  const script = [{ content: said }, { text: 'Done.' }]

  test('goes with words that a hook has changed in a reply', async () => {
    const redacting = defineHook({
      name: 'redacting',
      on: llmPostCall,
      writes: true,
      run(input) {
        if (input.type !== 'response') return proceed
        const { response } = input
        const content = response.content.map((block) =>
          block.type === 'text'
            ? { ...block, text: redacted(block.text) }
            : block,
        )
        return transform({ ...response, content })
      },
    })
    const { say, model } = await openStage(script, { hooks: [redacting] })
    await say('What?')
    await say('And?')
    expect(model.requests[1]?.messages[1]?.content).toEqual(expected)
  })

  test('goes with words that a hook has changed in the output', async () => {
    const redacting = defineHook({
      name: 'redacting',
      on: turnOutput,
      writes: true,
      run: ({ reply }) =>
        transform(
          reply.map((block) =>
            block.type === 'text'
              ? { ...block, text: redacted(block.text) }
              : block,
          ),
        ),
    })
    const { say, model } = await openStage(script, { hooks: [redacting] })
    expect((await say('What?')).reply).toEqual(expected)
    await say('And?')
    expect(model.requests[1]?.messages[1]?.content).toEqual(expected)
  })

  test('goes with words that a hook has changed in a request', async () => {
    const redacting = defineHook({
      name: 'redacting',
      on: llmPreCall,
      writes: true,
      run({ request }) {
        const text = redacted(JSON.stringify(request.messages))
        return transform({ ...request, messages: JSON.parse(text) })
      },
    })
    const { say, model } = await openStage(script, { hooks: [redacting] })
    await say('What?')
    await say('And?')
    expect(model.requests[1]?.messages[1]?.content).toEqual(expected)
  })
})
