import { defineHook, transform } from 'hookline'
import {
  llmPostCall,
  llmPreCall,
  type ModelContent,
  type ReasoningBlock,
  type TextBlock,
} from 'hookline/lifecycle'
import { describe, expect, test } from 'vitest'
import { openStage } from '../runtime/fixtures/stage.ts'
import { withoutStaleData } from './stale-data.ts'

type Block = TextBlock | ReasoningBlock

const cached = { anthropic: { cacheControl: { type: 'ephemeral' } } }
const item = { openai: { itemId: 'msg_1' } }

function say(text: string, providerData?: Block['providerData']): Block {
  const block = { type: 'text' as const, text }
  return providerData === undefined ? block : { ...block, providerData }
}

function think(text: string, providerData?: Block['providerData']): Block {
  return { ...say(text, providerData), type: 'reasoning' }
}

interface Row {
  readonly name: string
  readonly before: readonly Block[]
  readonly given: readonly Block[]
  readonly left: readonly Block[]
}

const rows: readonly Row[] = [
  {
    name: 'is gone with the words that it stood for',
    before: [say('A key.', item)],
    given: [say('A […].', item)],
    left: [say('A […].')],
  },
  {
    name: 'is gone where thoughts were changed',
    before: [think('A key.', { anthropic: { signature: 's' } })],
    given: [think('Nothing.', { anthropic: { signature: 's' } })],
    left: [think('Nothing.')],
  },
  {
    name: 'stays with words that another block had it with',
    before: [say('A key.', item), say('Done.', item)],
    given: [say('Done.', item)],
    left: [say('Done.', item)],
  },
  {
    name: 'is a hook’s own where there was none',
    before: [say('Hello.')],
    given: [say('Hello.', cached)],
    left: [say('Hello.', cached)],
  },
  {
    name: 'is a hook’s own in a block that is new',
    before: [say('Hello.', item)],
    given: [say('Hello.', item), say('Note.', cached)],
    left: [say('Hello.', item), say('Note.', cached)],
  },
  {
    name: 'is a hook’s own beside what the provider gave',
    before: [say('Hello.', item)],
    given: [say('Hello.', { ...item, ...cached })],
    left: [say('Hello.', { ...item, ...cached })],
  },
  {
    name: 'is a hook’s own where another block has the same',
    before: [say('Hello.', cached), say('And?')],
    given: [say('Hello.', cached), say('And?', cached)],
    left: [say('Hello.', cached), say('And?', cached)],
  },
  {
    name: 'is a hook’s own where it was taken from another block',
    before: [say('Hello.', cached), say('And?')],
    given: [say('Hello.'), say('And?', cached)],
    left: [say('Hello.'), say('And?', cached)],
  },
  {
    name: 'is gone in part, where a hook has added to it and changed the words',
    before: [say('A key.', item)],
    given: [say('A […].', { ...item, ...cached })],
    left: [say('A […].', cached)],
  },
  {
    name: 'is gone in part, where a hook has added to that of one provider',
    before: [think('A key.', { anthropic: { signature: 's' } })],
    given: [
      think('Nothing.', { anthropic: { signature: 's', ...cached.anthropic } }),
    ],
    left: [think('Nothing.', cached)],
  },
  {
    name: 'that is no object is gone whole',
    before: [say('A key.', 'signature')],
    given: [say('A […].', 'signature')],
    left: [say('A […].')],
  },
]

describe('what a provider wants back', () => {
  test.each(rows)('$name', ({ before, given, left }) => {
    const copied: typeof given = structuredClone(given)
    const made = withoutStaleData(copied, before)
    expect(JSON.parse(JSON.stringify(made))).toEqual(
      JSON.parse(JSON.stringify(left)),
    )
  })

  test('is what a hook at llm.pre_call has written, beside unchanged words', async () => {
    const caching = defineHook({
      name: 'caching',
      on: llmPreCall,
      writes: true,
      run({ request }) {
        const messages = request.messages.map((message) =>
          message.role === 'user'
            ? {
                ...message,
                content: message.content.map((block) => ({
                  ...block,
                  providerData: cached,
                })),
              }
            : message,
        )
        return transform({ ...request, messages })
      },
    })
    const { say: send, model } = await openStage(
      [{ text: 'One.' }, { text: 'Two.' }],
      { hooks: [caching] },
    )
    await send('Hello.')
    await send('And?')
    const [first, , last] = model.requests[1]?.messages ?? []
    expect(first?.content).toEqual([say('Hello.', cached)])
    expect(last?.content).toEqual([say('And?', cached)])
  })

  test('is what a hook at llm.post_call has written, beside unchanged words', async () => {
    const marking = defineHook({
      name: 'marking',
      on: llmPostCall,
      writes: true,
      run(input) {
        if (input.type !== 'response') throw new Error('There is no response.')
        const content = input.response.content.map((block) => ({
          ...block,
          providerData: cached,
        })) as ModelContent
        return transform({ ...input.response, content })
      },
    })
    const { say: send } = await openStage([{ text: 'One.' }], {
      hooks: [marking],
    })
    expect((await send('Hello.')).reply).toEqual([say('One.', cached)])
  })
})
