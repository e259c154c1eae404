import { countCodePoints, defineHook, proceed, reject } from 'hookline'
import {
  llmPreCall,
  type PreflightPlan,
  turnPostPreflightPromptContext,
} from 'hookline/lifecycle'
import { describe, expect, test } from 'vitest'
import {
  createModelPreflight,
  createRuntime,
  type PreflightPort,
} from '../index.ts'
import { scriptedModel } from '../testing/index.ts'
import { planLocally } from './local-preflight.ts'

const image = {
  type: 'image',
  mediaType: 'image/png',
  source: { type: 'base64', data: 'AAAA' },
} as const

async function planOf(
  preflight: PreflightPort,
  planned: string,
  { isRefused = false } = {},
) {
  const origins: string[] = []
  const plans: PreflightPlan[] = []
  const alarms: string[] = []
  const gate = defineHook({
    name: 'gate',
    on: llmPreCall,
    run: (_, { scope: { origin } }) => {
      origins.push(origin)
      return isRefused && origin === 'preflight' ? reject('No.') : proceed
    },
  })
  const note = defineHook({
    name: 'note',
    on: turnPostPreflightPromptContext,
    run: ({ plan }) => {
      plans.push(plan)
      return proceed
    },
  })
  const replies = [...(isRefused ? [] : [{ text: planned }]), { text: 'Done.' }]
  const model = scriptedModel(replies)
  const runtime = createRuntime({
    models: { resolve: () => model },
    preflight,
    hooks: [gate, note],
    onAlarm: (code) => alarms.push(code),
  })
  await runtime.register({ name: 'main', model: 'x', instructions: '' })
  const session = await runtime.openSession({ agent: 'main' })
  const { status } = await session.send('Where is the tea?').result
  await runtime.close()
  return { plan: plans[0], origins, alarms, status, model }
}

const recall = [{ domain: 'memory', query: 'tea' }]
const local = { domain: 'memory', query: 'Where is the tea?' }

describe('a preflight by a model', () => {
  test('passes the gates of a model call as what it is, and counts', async () => {
    const { plan, origins, alarms, status, model } = await planOf(
      createModelPreflight({ model: 'small' }),
      JSON.stringify({ recall }),
    )
    expect(plan).toEqual({ source: 'model', recall })
    expect(origins).toEqual(['preflight', 'user'])
    expect(alarms).toEqual([])
    expect(status).toBe('succeeded')
    expect(model.requests[0]).toMatchObject({
      model: 'small',
      settings: { responseSchema: { type: 'object' } },
    })
  })

  test.each([
    ['prose', 'I would recall tea.'],
    ['another shape', '{"recall":"tea"}'],
    ['an unknown domain', '{"recall":[{"domain":"secrets","query":"x"}]}'],
    ['an empty query', '{"recall":[{"domain":"memory","query":" "}]}'],
    ['too many', JSON.stringify({ recall: Array(6).fill(recall[0]) })],
  ])('that gives %s is replaced by a local plan, and told', async (_, text) => {
    const { plan, alarms, status } = await planOf(createModelPreflight(), text)
    expect(plan).toEqual({ source: 'local', recall: [local] })
    expect(alarms).toEqual(['preflight-failed'])
    expect(status).toBe('succeeded')
  })

  test('that a hook refuses is replaced by a local plan', async () => {
    const { plan, alarms } = await planOf(createModelPreflight(), '', {
      isRefused: true,
    })
    expect(plan).toMatchObject({ source: 'local' })
    expect(alarms).toEqual(['preflight-failed'])
  })

  test('may find nothing to recall', async () => {
    const { plan } = await planOf(createModelPreflight(), '{"recall":[]}')
    expect(plan).toEqual({ source: 'model', recall: [] })
  })
})

test('what a preflight gives is checked, whoever made it', async () => {
  const bad = { source: 'model', recall: [{ query: 1 }] }
  const preflight: PreflightPort = { plan: () => bad as never }
  const { plan, alarms } = await planOf(preflight, '')
  expect(plan).toMatchObject({ source: 'local' })
  expect(alarms).toEqual(['preflight-failed'])
})

describe('a local plan', () => {
  test('recalls what was said, within bounds', () => {
    const text = '\u{1f375}'.repeat(2_000)
    const [request] = planLocally([{ type: 'text', text }]).recall
    expect(countCodePoints(request?.query ?? '')).toBe(500)
  })

  test('is none where nothing was said', () => {
    const none = { source: 'none', recall: [] }
    expect(planLocally([image])).toEqual(none)
    expect(planLocally([{ type: 'text', text: ' \n' }])).toEqual(none)
  })
})
