import { defineHook, proceed, transform } from 'hookline'
import { turnOutput } from 'hookline/lifecycle'
import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import { brief, expectPaired } from '../runtime/fixtures/paired.ts'
import { openStage } from '../runtime/fixtures/stage.ts'
import { tool } from '../runtime/fixtures/tools.ts'

const city = z.object({ name: z.string(), size: z.number().default(0) })
const cityJson = {
  type: 'object',
  properties: { name: { type: 'string' }, size: { type: 'number' } },
  required: ['name'],
} as const

function says(...texts: readonly string[]) {
  return texts.map((text) => ({ text }))
}

describe('a turn that is to give a value', () => {
  test('has it as its schema reads it', async () => {
    const { say } = await openStage(says('{"name":"Ulm"}'))
    expect(await say('Where?', { output: city })).toMatchObject({
      status: 'succeeded',
      text: '{"name":"Ulm"}',
      value: { name: 'Ulm', size: 0 },
    })
  })

  test('takes JSON Schema, and shows it to the model', async () => {
    const { say, model } = await openStage(says('{"name":"Ulm"}'))
    const { value } = await say('Where?', { output: cityJson })
    expect(value).toEqual({ name: 'Ulm' })
    expect(model.requests[0]?.settings.responseSchema).toEqual(cityJson)
  })

  test('shows the model what a zod schema says', async () => {
    const { say, model } = await openStage(says('{"name":"Ulm"}'))
    await say('Where?', { output: city })
    expect(model.requests[0]?.settings.responseSchema).toMatchObject({
      type: 'object',
      properties: { name: { type: 'string' } },
    })
  })

  test.each([
    ['a fenced block', '```json\n{"name":"Ulm"}\n```'],
    ['a fenced block of no language', '```\n{"name":"Ulm"}\n```\n'],
    ['white space', '\n {"name":"Ulm"} \n'],
  ])('reads %s', async (_, text) => {
    const { say } = await openStage(says(text))
    expect((await say('Where?', { output: city })).value).toEqual({
      name: 'Ulm',
      size: 0,
    })
  })

  test('may be a plain value', async () => {
    const { say } = await openStage(says('42'))
    expect((await say('How many?', { output: z.number() })).value).toBe(42)
  })

  test('tells the model what is wrong, and takes its next reply', async () => {
    const { say, session, model } = await openStage(
      says('{"name":7}', '{"name":"Ulm"}'),
    )
    const result = await say('Where?', { output: city })
    expect(result).toMatchObject({ status: 'succeeded', steps: 2 })
    expect(result.value).toEqual({ name: 'Ulm', size: 0 })
    const shown = brief(model.requests[1]?.messages ?? [])
    expect(shown[1]).toBe('assistant: {"name":7}')
    expect(shown[2]).toMatch(/^user: <feedback [^>]*>\n.*name/)
    expectPaired(session.messages)
  })

  test('fails when two more replies are no better', async () => {
    const { say, session, model } = await openStage(
      says('One.', 'Two.', 'Three.', '{"name":"Ulm"}'),
    )
    const result = await say('Where?', { output: city })
    expect(result).toMatchObject({
      status: 'failed',
      error: { code: 'invalid-output' },
    })
    expect(result.value).toBeUndefined()
    expect(model.requests).toHaveLength(3)
    expectPaired(session.messages)
  })

  test('may call tools on the way', async () => {
    const { say, session } = await openStage(
      [{ calls: [{ tool: 'read' }] }, ...says('{"name":"Ulm"}')],
      { tools: [tool('read')] },
    )
    expect((await say('Where?', { output: city })).value).toBeDefined()
    expectPaired(session.messages)
  })

  test('has the value of what turn.output has left of the reply', async () => {
    const rewriting = defineHook({
      name: 'rewriting',
      on: turnOutput,
      writes: true,
      run: () => transform([{ type: 'text', text: '{"name":"Bonn"}' }]),
    })
    const { say } = await openStage(says('{"name":"Ulm"}'), {
      hooks: [rewriting],
    })
    const { value } = await say('Where?', { output: city })
    expect(value).toMatchObject({ name: 'Bonn' })
  })

  test('fails if turn.output has left no value', async () => {
    const rewriting = defineHook({
      name: 'rewriting',
      on: turnOutput,
      writes: true,
      run: () => transform([{ type: 'text', text: 'Hush.' }]),
    })
    const { say, session } = await openStage(says('{"name":"Ulm"}'), {
      hooks: [rewriting],
    })
    expect(await say('Where?', { output: city })).toMatchObject({
      status: 'failed',
      error: { code: 'invalid-output' },
    })
    expectPaired(session.messages)
  })

  test('a schema that cannot be shown to a model is an error, and the next turn runs', async () => {
    const schema = {
      '~standard': {
        version: 1,
        vendor: 'hand',
        validate: (value: unknown) => ({ value }),
      },
    } as const
    const { say } = await openStage(says('Hello.'))
    const refused = async () => say('Where?', { output: schema })
    await expect(refused()).rejects.toMatchObject({
      code: 'invalid-output-schema',
    })
    expect((await say('Hi.')).text).toBe('Hello.')
  })
})

test('a turn that asks for no value has none', async () => {
  const looking = defineHook({
    name: 'looking',
    on: turnOutput,
    run: () => proceed,
  })
  const { say } = await openStage(says('{"name":"Ulm"}'), { hooks: [looking] })
  expect(await say('Hi.')).not.toHaveProperty('value')
})
