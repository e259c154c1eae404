import { defineHook, proceed, reject } from 'hookline'
import { type JsonObject, toolGuard } from 'hookline/lifecycle'
import { expect, test } from 'vitest'
import { defineTool } from '../../index.ts'
import { createDelegatePlugin } from '../../plugins.ts'
import { callsOf, echoTool, play } from '../fixtures/play.ts'
import { type ArgsRewriteOptions, argsRewrite } from './args-rewrite.ts'
import { pathUnder } from './path-under.ts'
import type { RewriteRule } from './rewrite-rule.ts'

/** The arguments that a tool was given in the end. */
async function rewritten(
  rules: RewriteRule | readonly RewriteRule[],
  ...args: readonly JsonObject[]
) {
  const given: JsonObject[] = []
  const tool = defineTool({
    name: 'search',
    description: 'Searches.',
    input: { type: 'object' },
    safety: 'read_only',
    execute(found) {
      given.push(found)
      return 'found'
    },
  })
  const played = await play([callsOf('search', ...args), { text: 'Done.' }], {
    plugins: [argsRewrite({ rules: [rules].flat() })],
    tools: [tool],
  })
  return { ...played, given }
}

test.each<[string, Omit<RewriteRule, 'at'>, JsonObject, JsonObject]>([
  ['limit', { set: 5 }, { limit: 9 }, { limit: 5 }],
  ['limit', { set: null }, {}, { limit: null }],
  ['a.b.c', { set: 1 }, { a: { x: 2 } }, { a: { x: 2, b: { c: 1 } } }],
  ['limit', { default: 5 }, {}, { limit: 5 }],
  ['limit', { default: 5 }, { limit: 0 }, { limit: 0 }],
  ['force', { remove: true }, { force: true, q: 1 }, { q: 1 }],
  ['limit', { clamp: { max: 10 } }, { limit: 1e9 }, { limit: 10 }],
  ['limit', { clamp: { min: 1 } }, { limit: -1 }, { limit: 1 }],
  ['limit', { clamp: { max: 10 } }, {}, {}],
  [
    'to.*.n',
    { clamp: { max: 1 } },
    { to: [{ n: 3 }, {}] },
    { to: [{ n: 1 }, {}] },
  ],
  ['to.1', { remove: true }, { to: ['a', 'b', 'c'] }, { to: ['a', 'c'] }],
  ['all.*', { set: 0 }, { all: { a: 1, b: 2 } }, { all: { a: 0, b: 0 } }],
  [
    'q',
    { replace: { pattern: '(\\w+)@\\w+\\.com', with: '$1@…' } },
    { q: 'ann@x.com, bob@y.com' },
    { q: 'ann@…, bob@…' },
  ],
  [
    'path',
    { under: 'work' },
    { path: '/etc/passwd' },
    { path: 'work/etc/passwd' },
  ],
  ['constructor.x', { set: 1 }, {}, { constructor: { x: 1 } }],
])('%s is changed by %j', async (at, operation, before, after) => {
  const { given, statuses } = await rewritten({ at, ...operation }, before)
  expect(statuses).toEqual(['executed'])
  expect(given).toEqual([after])
})

test.each([
  ['work', '../../etc/passwd', 'work/etc/passwd'],
  ['work', 'a/./../b', 'work/b'],
  ['work', 'work/a', 'work/a'],
  ['work', 'work/../../x', 'work/x'],
  ['work', 'workshop/a', 'work/workshop/a'],
  ['work', 'C:\\Windows\\..\\..\\x', 'work/x'],
  ['/srv/work/', '/srv/work/../x', '/srv/work/srv/x'],
  ['/srv/work', '/srv/work/x', '/srv/work/x'],
  ['work', '', 'work'],
])('a path below %s: %s', (folder, path, expected) => {
  expect(pathUnder(folder, path)).toBe(expected)
})

test('rules are done in order, each for the calls that it means', async () => {
  const { given } = await rewritten(
    [
      { at: 'kind', default: 'web' },
      { at: 'limit', set: 3, args: { kind: 'web' } },
      { at: 'limit', set: 99, tools: ['other*'] },
      { at: 'limit', set: 98, safety: ['destructive'] },
    ],
    {},
    { kind: 'local' },
  )
  expect(given).toEqual([{ kind: 'web', limit: 3 }, { kind: 'local' }])
})

test('a value that a rule is not about denies the call, and says why', async () => {
  const { statuses, model } = await rewritten(
    { at: 'limit', clamp: { max: 10 } },
    { limit: 'all of them' },
  )
  expect(statuses).toEqual(['denied'])
  expect(JSON.stringify(model.requests[1])).toContain('has to be a number')
})

test('guards judge the call as it was rewritten', async () => {
  const judged: unknown[] = []
  const guard = defineHook({
    name: 'guard',
    on: toolGuard,
    run({ args }) {
      judged.push(args)
      return args['limit'] === 5 ? proceed : reject('Not this.')
    },
  })
  const { statuses } = await play([callsOf('look', {}), { text: 'Done.' }], {
    ...{ hooks: [guard], tools: [echoTool('look')] },
    plugins: [argsRewrite({ rules: [{ at: 'limit', set: 5 }] })],
  })
  expect(judged).toEqual([{ limit: 5 }])
  expect(statuses).toEqual(['executed'])
})

test('a rewrite that does not fit the tool denies the call', async () => {
  const strict = defineTool({
    name: 'look',
    description: 'Looks.',
    input: { type: 'object', properties: { limit: { type: 'number' } } },
    safety: 'read_only',
    execute: () => 'seen',
  })
  const { statuses, model } = await play(
    [callsOf('look', {}), { text: 'Done.' }],
    {
      plugins: [argsRewrite({ rules: [{ at: 'limit', set: 'many' }] })],
      tools: [strict],
    },
  )
  expect(statuses).toEqual(['denied'])
  expect(JSON.stringify(model.requests[1])).toContain('args-rewrite:rewrite')
})

test('calls at the same time, and those of sub-agents, are rewritten', async () => {
  const tasks = [{ agent: 'agent', task: 'Look.' }]
  const { events } = await play(
    [
      callsOf('delegate', { tasks }),
      callsOf('look', { n: 1 }, { n: 2 }),
      { text: 'Seen.' },
      { text: 'Done.' },
    ],
    {
      tools: [echoTool('look')],
      plugins: [
        argsRewrite({ rules: [{ tools: ['look'], at: 'n', set: 7 }] }),
        createDelegatePlugin(),
      ],
    },
  )
  const looks = events.filter(
    (event) => event.type === 'tool-end' && event.tool === 'look',
  )
  expect(looks).toHaveLength(2)
  for (const look of looks) expect(JSON.stringify(look)).toContain('\\"n\\":7')
})

test.each([
  [{ rules: [] }, 'rules'],
  [{ rules: [{ at: 'a' }] }, 'exactly one'],
  [{ rules: [{ at: 'a', set: 1, remove: true }] }, 'exactly one'],
  [{ rules: [{ at: 'a..b', set: 1 }] }, 'at'],
  [{ rules: [{ at: '__proto__.x', set: 1 }] }, 'at'],
  [{ rules: [{ at: 'a', replace: { pattern: '(', with: '' } }] }, 'pattern'],
  [{ rules: [{ at: 'a', clamp: { most: 1 } }] }, 'most'],
  [{ rules: [{ at: 'a', clamp: { min: 5, max: 1 } }] }, 'no more than'],
  [{ rules: [{ at: 'a', under: '../shared' }] }, 'under'],
  [{ rules: [{ at: 'a', under: 'a/..' }] }, 'under'],
])('options that do not fit are refused: %j', (options, word) => {
  expect(() => argsRewrite(options as unknown as ArgsRewriteOptions)).toThrow(
    word,
  )
})
