import { join } from 'node:path'
import { expect, test } from 'vitest'
import { createMemoryApprovals } from '../../index.ts'
import { createDelegatePlugin } from '../../plugins.ts'
import { callsOf, echoTool, play } from '../fixtures/play.ts'
import { opaBundle, opaModule } from './fixtures/opa-module.ts'
import { filesOf, playOpa } from './fixtures/play-opa.ts'
import { opa } from './opa.ts'
import type { OpaOptions } from './options.ts'

const { folder, fileOf } = filesOf('opa')

const policy = fileOf(opaModule())

test('a policy permits and forbids calls, each for itself', async () => {
  const calls = [{ path: 'a' }, { path: 'my secret' }, {}]
  const { statuses, events } = await playOpa({ policy }, calls)
  expect(statuses).toEqual(['denied', 'executed', 'executed'])
  const denied = events.find(
    (event) => event.type === 'tool-end' && event.status === 'denied',
  )
  expect(JSON.stringify(denied)).toContain('the policy does not permit it')
})

test('many calls at once are each judged by what they are', async () => {
  const calls = Array.from({ length: 40 }, (_, at) => ({
    at: at % 4 === 0 ? 'secret' : `${at}`,
  }))
  const { statuses, failures } = await playOpa({ policy }, calls)
  expect(statuses.filter((status) => status === 'denied')).toHaveLength(10)
  expect(failures).toEqual([])
})

test('calls of sub-agents are judged, too', async () => {
  const tasks = [{ agent: 'agent', task: 'Look.' }]
  const { statuses } = await play(
    [
      callsOf('delegate', { tasks }),
      callsOf('look', { path: 'secret' }),
      callsOf('look', { path: 'a' }),
      { text: 'Seen.' },
      { text: 'Done.' },
    ],
    {
      plugins: [opa({ policy }), createDelegatePlugin()],
      tools: [echoTool('look')],
    },
  )
  expect([...statuses].sort()).toEqual(['denied', 'executed', 'executed'])
})

test.each([
  ['tool', '"tool":"look"'],
  ['owner', '"owner":"'],
  ['safety', '"safety":"read_only"'],
  ['arguments', '"args":{"list":[1,null,0.5],"deep":{"flag":true}}'],
  ['agent', '"agent":"agent"'],
  ['parents', '"parents":[]'],
  ['origin', '"origin":"user"'],
])('a policy sees the %s', async (_, word) => {
  const seeing = opaModule({
    ...{ word, result: '[{"result":false}]', otherwise: '[{"result":true}]' },
  })
  const args = { list: [1, null, 0.5], deep: { flag: true } }
  const { statuses } = await playOpa({ policy: fileOf(seeing) }, [args])
  expect(statuses).toEqual(['executed'])
})

const results = (result: unknown) => JSON.stringify([{ result }])

test.each([
  ['true', results(true), ['executed'], ''],
  ['false', results(false), ['denied'], 'does not permit'],
  ['undefined', '[]', ['denied'], 'no rule permits it'],
  ['allow', results({ allow: true }), ['executed'], ''],
  [
    'a reason',
    results({ allow: false, reason: 'Too late.' }),
    ['denied'],
    'Not allowed: Too late.',
  ],
  ['an empty object', results({}), ['denied'], 'as \\"allow\\"'],
  ['a list', results([]), ['denied'], 'neither true nor false'],
  ['a text', results('true'), ['denied'], 'neither true nor false'],
  ['null', results(null), ['denied'], 'neither true nor false'],
])('what a policy comes to decides: %s', async (_, result, wanted, word) => {
  const one = fileOf(opaModule({ result }))
  const { statuses, events, failures } = await playOpa({ policy: one })
  expect(statuses).toEqual(wanted)
  expect(JSON.stringify(events)).toContain(word)
  expect(failures).toEqual([])
})

test.each([
  [
    'the options say so',
    { onDeny: 'ask' },
    results(false),
    'does not permit it',
  ],
  [
    'the policy says so',
    {},
    results({ allow: false, ask: true, reason: 'It is night.' }),
    'It is night',
  ],
  [
    'it allows, and says so',
    {},
    results({ allow: true, ask: true }),
    'wants people',
  ],
] as const)('people are asked where %s', async (_, more, result, word) => {
  const one = fileOf(opaModule({ result }))
  const { questions, statuses } = await agreed({ policy: one, ...more })
  expect(questions).toEqual([expect.stringContaining(word)])
  expect(statuses).toEqual(['executed'])
})

test('nobody is asked about an answer that is none', async () => {
  const unclear = fileOf(opaModule({ result: results({ allow: 'yes' }) }))
  const asking = { policy: unclear, onDeny: 'ask' } as const
  const { questions, statuses } = await agreed(asking)
  expect(questions).toEqual([])
  expect(statuses).toEqual(['denied'])
})

/** One call, with people who agree to whatever they are asked. */
async function agreed(options: OpaOptions) {
  const questions: string[] = []
  const approvals = createMemoryApprovals({
    onQuestion({ question: { id, questions: asked } }) {
      questions.push(...asked.map(({ question }) => question))
      approvals.answer(id, { type: 'allow' }, 'ann')
    },
  })
  const { statuses } = await play([callsOf('look', {}), { text: 'Done.' }], {
    ...{ approvals, plugins: [opa(options)], tools: [echoTool('look')] },
  })
  return { questions, statuses }
}

test('a bundle has the policy and its data, and a file other data', async () => {
  const wasm = opaModule()
  const data = Buffer.from('{"words":["secret"]}')
  const files = { '/.manifest': Buffer.from('{}'), '/policy.wasm': wasm }
  const bundle = fileOf(opaBundle({ '/data.json': data, ...files }))
  expect((await playOpa({ policy: bundle })).statuses).toEqual(['denied'])
  const other = { policy: bundle, data: fileOf('{}') }
  expect((await playOpa(other)).statuses).toEqual(['executed'])
  const plain = { policy, data: fileOf(data) }
  expect((await playOpa(plain)).statuses).toEqual(['denied'])
})

test('the entrypoint is the one that is named, or the only one', async () => {
  const two = fileOf(opaModule({ entrypoints: '{"a/x":0,"b/y":1}' }))
  const named = await playOpa({ policy: two, entrypoint: 'b/y' })
  expect(named.statuses).toEqual(['executed'])
  expect(() => opa({ policy: two })).toThrow('name one of them: a/x, b/y')
  expect(() => opa({ policy: two, entrypoint: 'c/z' })).toThrow(
    'no entrypoint "c/z"; there are: a/x, b/y',
  )
  expect(() => opa({ policy: two, entrypoint: 'toString' })).toThrow(
    'no entrypoint',
  )
})

test.each([
  [{}, 'either policy or server'],
  [{ policy, server: 'https://opa.example' }, 'either policy or server'],
  [{ policy: join(folder, 'none') }, 'cannot be read'],
  [{ policy: folder }, 'cannot be read'],
  [{ policy: '/dev/zero' }, 'cannot be read'],
  [{ policy, data: join(folder, 'none') }, 'data of "opa" cannot be read'],
  [{ policy, tokenEnv: 'HOME' }, 'tokenEnv'],
  [{ policy, entrypoint: '../x' }, 'entrypoint'],
  [{ policy, entrypoint: 'a//b' }, 'entrypoint'],
  [{ policy, timeoutMs: 0 }, 'timeoutMs'],
  [{ policy, maxMemoryMb: 1e9 }, 'maxMemoryMb'],
  [{ policy, onDeny: 'allow' }, 'onDeny'],
])('options that do not fit are refused: %j', (options, word) => {
  expect(() => opa(options as OpaOptions)).toThrow(word)
})

test('a reload looks at the policy and at its data', () => {
  const { files } = opa.spec
  expect(files?.({ policy: 'a.wasm', data: 'b.json' })).toEqual([
    'a.wasm',
    'b.json',
  ])
  expect(files?.({ server: 'https://opa.example' })).toEqual([])
})
