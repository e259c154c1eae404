import fc from 'fast-check'
import type { TextEvent } from 'hookline/lifecycle'
import { expect, test } from 'vitest'
import { fromAiSdk } from '../ai-sdk.ts'
import { ask, callOf, outline } from '../fixtures/asking.ts'
import { finish, scriptedModel } from '../fixtures/scripted-stream.ts'

async function hear(parts: readonly object[]) {
  const told: TextEvent[] = []
  const { content } = await fromAiSdk(
    scriptedModel([...parts, finish()]),
  ).generate(
    ask('?'),
    callOf((part) => void told.push(part)),
  )
  return { told, content }
}

const delta = (id: string, text: string) => ({
  type: 'text-delta',
  id,
  delta: text,
})

test('a delta that nothing began begins its block', async () => {
  const { told, content } = await hear([delta('1', 'Hello')])
  expect(outline(told)).toEqual(['[text', 'Hello', 'text]'])
  expect(content).toEqual([{ type: 'text', text: 'Hello' }])
})

test('an end that nothing began is not told', async () => {
  const { told, content } = await hear([{ type: 'text-end', id: '1' }])
  expect(told).toEqual([])
  expect(content).toEqual([])
})

test('blocks that a provider gives one id are two', async () => {
  const block = [{ type: 'text-start', id: '1' }, delta('1', 'x')]
  const { told, content } = await hear([...block, ...block])
  expect(outline(told)).toEqual(['[text', 'x', 'text]', '[text', 'x', 'text]'])
  expect(new Set(told.map(({ id }) => id)).size).toBe(2)
  expect(content).toHaveLength(2)
})

test('blocks may be written side by side', async () => {
  const { told, content } = await hear([
    delta('1', 'a'),
    delta('2', 'b'),
    delta('1', 'c'),
  ])
  expect(new Set(told.map(({ id }) => id)).size).toBe(2)
  expect(content).toEqual([
    { type: 'text', text: 'ac' },
    { type: 'text', text: 'b' },
  ])
})

test('what a provider says of a block is gathered from all of its parts', async () => {
  const says = (data: object) => ({ providerMetadata: { some: data } })
  const { content } = await hear([
    { type: 'reasoning-start', id: '1', ...says({ id: 'r' }) },
    {
      type: 'reasoning-delta',
      id: '1',
      delta: '',
      ...says({ signature: 's', none: undefined }),
    },
    { type: 'reasoning-end', id: '1' },
  ])
  expect(content).toStrictEqual([
    {
      type: 'reasoning',
      text: '',
      providerData: { some: { id: 'r', signature: 's' } },
    },
  ])
})

test.each([null, { type: 'finish' }, { type: 'tool-call' }])(
  'a part that is none ends what is open, and is a failure: %o',
  async (part) => {
    const told: TextEvent[] = []
    const parts = [delta('1', 'x'), part as object] // on purpose
    const model = fromAiSdk(scriptedModel(parts))
    const options = callOf((part) => void told.push(part))
    const call = Promise.resolve(model.generate(ask('?'), options))
    await expect(call).rejects.toMatchObject({ error: { code: 'unknown' } })
    expect(outline(told)).toEqual(['[text', 'x', 'text]'])
  },
)

test('whatever a provider sends, every block starts once and ends once', async () => {
  const kind = fc.constantFrom('text', 'reasoning')
  const step = fc.constantFrom('start', 'delta', 'end')
  const part = fc
    .tuple(kind, step, fc.constantFrom('1', '2'), fc.constantFrom('', 'x'))
    .map(([kind, step, id, text]) => ({
      type: `${kind}-${step}`,
      id,
      delta: text,
    }))
  await fc.assert(
    fc.asyncProperty(fc.array(part, { maxLength: 20 }), async (parts) => {
      const { told, content } = await hear(parts)
      const seen = new Map<string, string>()
      for (const { type, id } of told) {
        const [kind, step] = type.split('-')
        const before = seen.get(id)
        if (step === 'start') expect(before).toBeUndefined()
        else expect(before).toBe(`${kind} open`)
        seen.set(id, step === 'end' ? 'closed' : `${kind} open`)
      }
      expect([...seen.values()].every((state) => state === 'closed')).toBe(true)
      const said = told.map((event) => ('text' in event ? event.text : ''))
      const kept = content.map((block) => ('text' in block ? block.text : ''))
      expect(kept.join('').length).toBe(said.join('').length)
    }),
  )
})
