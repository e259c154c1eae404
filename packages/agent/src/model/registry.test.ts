import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { createOpenAI } from 'ai-sdk-openai-v3'
import { describe, expect, test } from 'vitest'
import type { AgentError } from '../ports/agent-error.ts'
import type { Model, ModelRegistry } from '../ports/model.ts'
import { anthropicEvents } from './fixtures/anthropic-wire.ts'
import { ask, callOf } from './fixtures/asking.ts'
import { chatEvents } from './fixtures/chat-wire.ts'
import { openAiEvents } from './fixtures/openai-wire.ts'
import { streamed } from './fixtures/wire-replies.ts'
import { startWireServer } from './fixtures/wire-server.ts'
import { loadPackage } from './load-package.ts'
import type { ProviderConfig } from './provider-config.ts'
import { createModelRegistry } from './registry.ts'

const answer = { text: ['Hello.'] }
const someModel: Model = {
  abilities: { tools: true, images: true, files: true, reasoning: true },
  generate: () => ({
    content: [],
    stopReason: 'end_turn',
    usage: { inputTokens: 0, outputTokens: 0 },
  }),
}

/** What a name is refused with. */
async function refusal(
  registry: ModelRegistry,
  name: string,
): Promise<AgentError> {
  return Promise.resolve(registry.resolve(name)).then(
    () => expect.unreachable('It was found.'),
    (thrown: AgentError) => thrown,
  )
}

describe('a provider that is data', () => {
  test('of kind anthropic takes its key from the usual variable', async () => {
    await using server = await startWireServer(
      streamed(anthropicEvents(answer)),
    )
    const registry = createModelRegistry({
      providers: { anthropic: { kind: 'anthropic', baseUrl: server.url } },
      env: { ANTHROPIC_API_KEY: ' a-key\n' },
    })
    const model = await registry.resolve('anthropic/claude-sonnet-4-5')
    const { content } = await model.generate(ask('?'), callOf())
    expect(content).toMatchObject([{ text: 'Hello.' }])
    expect(server.requests[0]).toMatchObject({
      path: '/v1/messages',
      headers: { 'x-api-key': 'a-key' },
      body: { model: 'claude-sonnet-4-5' },
    })
  })

  test('of kind openai keeps nothing at the provider', async () => {
    await using server = await startWireServer(streamed(openAiEvents(answer)))
    const registry = createModelRegistry({
      env: { OPENAI_API_KEY: 'a-key', OPENAI_BASE_URL: server.url },
    })
    const model = await registry.resolve('openai/gpt-5')
    await model.generate(ask('?'), callOf())
    expect(server.requests[0]).toMatchObject({
      path: '/v1/responses',
      headers: { authorization: 'Bearer a-key' },
      body: { model: 'gpt-5', store: false },
    })
  })

  test('of kind openai-compatible needs no key, and ids may hold slashes', async () => {
    await using server = await startWireServer(streamed(chatEvents(answer)))
    const registry = createModelRegistry({
      providers: { local: { kind: 'openai-compatible', baseUrl: server.url } },
      env: {},
    })
    const model = await registry.resolve('local/some/model')
    const { usage } = await model.generate(ask('?'), callOf())
    expect(usage.inputTokens).toBe(100)
    expect(server.requests[0]).toMatchObject({
      path: '/v1/chat/completions',
      body: { model: 'some/model' },
    })
    expect(server.requests[0]?.headers).not.toHaveProperty('authorization')
  })

  test('says what its models can and cost, each over all', async () => {
    const registry = createModelRegistry({
      providers: {
        local: {
          kind: 'openai-compatible',
          baseUrl: 'http://127.0.0.1/v1',
          abilities: { images: false, contextTokens: 1000 },
          price: { input: 1, output: 2 },
          models: { big: { abilities: { contextTokens: 9000 } } },
        },
      },
    })
    const { abilities, price } = await registry.resolve('local/big')
    expect(abilities).toEqual({
      tools: true,
      images: false,
      files: true,
      reasoning: true,
      contextTokens: 9000,
    })
    expect(price).toEqual({ input: 1, output: 2 })
  })

  test.each([
    { apiKey: 'sk-secret' },
    { headers: { authorization: 'sk-secret' } },
    { keyEnv: 'sk-secret' },
    { baseUrl: 'https://user:sk-secret@example.com' },
    { baseUrl: 'file:///sk-secret' },
    { baseUrl: 'sk-secret' },
    { colour: 'sk-secret' },
    { kind: 'sk-secret' },
    { kind: 'openai-compatible' },
  ])('is refused without repeating what is wrong: %o', (wrong) => {
    const config = { kind: 'openai', ...wrong } as ProviderConfig // on purpose
    const create = () => createModelRegistry({ providers: { mine: config } })
    expect(create).toThrow(expect.objectContaining({ code: 'invalid-config' }))
    expect(create).not.toThrow(/sk-secret/)
  })
})

test.each([undefined, null, 'openai', 1])(
  'what cannot be a provider is refused: %s',
  (wrong) => {
    const providers = { mine: wrong as unknown as ProviderConfig } // on purpose
    const create = () => createModelRegistry({ providers })
    expect(create).toThrow(expect.objectContaining({ code: 'invalid-config' }))
  },
)

test('a name with a slash cannot be the name of a provider', () => {
  const create = () =>
    createModelRegistry({ providers: { 'a/b': () => someModel } })
  expect(create).toThrow(expect.objectContaining({ code: 'invalid-config' }))
})

test('a provider can be one of the AI SDK', async () => {
  await using server = await startWireServer(streamed(openAiEvents(answer)))
  const mine = createOpenAI({ baseURL: server.url, apiKey: 'a-key' })
  const registry = createModelRegistry({ providers: { mine } })
  const model = await registry.resolve('mine/gpt-5')
  const { content } = await model.generate(ask('?'), callOf())
  expect(content).toMatchObject([{ text: 'Hello.' }])
})

test('a provider can be a function, and is asked once for a name', async () => {
  const asked: string[] = []
  const mine = (modelId: string) => {
    asked.push(modelId)
    return someModel
  }
  const registry = createModelRegistry({ providers: { mine } })
  expect(await registry.resolve('mine/a/b')).toBe(someModel)
  expect(await registry.resolve('mine/a/b')).toBe(someModel)
  expect(asked).toEqual(['a/b'])
})

test('a model that is given is found under its name', async () => {
  const registry = createModelRegistry({ models: { 'test/x': someModel } })
  expect(await registry.resolve('test/x')).toBe(someModel)
})

test('a key that is missing is named by its variable, and may come later', async () => {
  const env: Record<string, string | undefined> = { ANTHROPIC_API_KEY: ' ' }
  const registry = createModelRegistry({ env })
  const error = await refusal(registry, 'anthropic/x')
  expect(error.code).toBe('missing-key')
  expect(error.message).toContain('ANTHROPIC_API_KEY')
  env['ANTHROPIC_API_KEY'] = 'a-key'
  expect(await registry.resolve('anthropic/x')).toHaveProperty('generate')
})

test('an unknown provider is told the known ones, and the nearest', async () => {
  const error = await refusal(createModelRegistry(), 'antropic/x')
  expect(error.code).toBe('unknown-provider')
  expect(error.message).toContain('anthropic, openai')
  expect(error.message).toContain('Did you mean "anthropic"?')
  const far = await refusal(createModelRegistry(), 'nothing-like-it/x')
  expect(far.message).not.toContain('Did you mean')
})

test.each(['claude', '/x', 'openai/', ''])(
  'a name without a provider and an id is unknown: "%s"',
  async (name) => {
    const error = await refusal(createModelRegistry(), name)
    expect(error.code).toBe('unknown-model')
  },
)

test('names that every object has are no providers', async () => {
  const error = await refusal(createModelRegistry(), 'constructor/x')
  expect(error.code).toBe('unknown-provider')
})

test('a package that is not installed is one to install', async () => {
  await expect(loadPackage('@ai-sdk/not-there')).rejects.toMatchObject({
    code: 'missing-package',
    message: expect.stringContaining('npm install @ai-sdk/not-there'),
  })
})

test('a package that lacks another is not taken for missing', async () => {
  const broken = 'data:text/javascript,import "@ai-sdk/not-there"'
  await expect(loadPackage(broken)).rejects.not.toHaveProperty(
    'code',
    'missing-package',
  )
})

test('importing the registry loads no package of a provider', async () => {
  const script = `
    import { registerHooks } from 'node:module'
    registerHooks({ resolve(name, context, next) {
      if (name.startsWith('@ai-sdk/')) console.log(name)
      return next(name, context)
    } })
    const { createModelRegistry } = await import('./registry.ts')
    const env = { ANTHROPIC_API_KEY: 'a-key' }
    const registry = createModelRegistry({ env })
    console.log('imported')
    await registry.resolve('anthropic/x')`
  const options = { cwd: import.meta.dirname }
  const args = ['--input-type=module', '--no-warnings', '-e', script]
  const run = promisify(execFile)
  const { stdout } = await run(process.execPath, args, options)
  expect(stdout.split('\n').slice(0, 2)).toEqual([
    'imported',
    '@ai-sdk/anthropic',
  ])
})
