import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { JsonObject } from 'hookline/lifecycle'
import { expect, test } from 'vitest'
import { createMemoryApprovals } from '../../index.ts'
import { createDelegatePlugin } from '../../plugins.ts'
import { callsOf, echoTool, play } from '../fixtures/play.ts'
import { type CedarOptions, cedar } from './cedar.ts'

const policies = `
  permit (principal == Agent::"agent", action == Action::"call", resource)
  when { resource.safety == "read_only" };

  @id("no-secrets")
  forbid (principal, action, resource == Tool::"look")
  when { context.args has path && context.args.path like "*secret*" };
`

const played = (options: CedarOptions, ...args: readonly JsonObject[]) =>
  play([callsOf('look', ...args), { text: 'Done.' }], {
    ...{ plugins: [cedar(options)], tools: [echoTool('look')] },
  })

test('policies permit and forbid calls, each for itself', async () => {
  const calls = [{ path: 'a' }, { path: 'my secret' }, {}]
  const { statuses, events } = await played({ policies }, ...calls)
  expect([...statuses].sort()).toEqual(['denied', 'executed', 'executed'])
  const denied = events.find(
    (event) => event.type === 'tool-end' && event.status === 'denied',
  )
  expect(JSON.stringify(denied)).toContain('forbidden by')
})

test('what no policy permits is denied, in sub-agents too', async () => {
  const none = await played(
    { policies: 'forbid (principal, action, resource);' },
    {},
  )
  expect(none.statuses).toEqual(['denied'])
  const tasks = [{ agent: 'agent', task: 'Look.' }]
  const open = `permit (principal, action, resource);
    forbid (principal, action, resource == Tool::"look");`
  const { statuses } = await play(
    [
      callsOf('delegate', { tasks }),
      callsOf('look', {}),
      callsOf('see', {}),
      { text: 'Seen.' },
      { text: 'Done.' },
    ],
    {
      plugins: [cedar({ policies: open }), createDelegatePlugin()],
      tools: [echoTool('look'), echoTool('see')],
    },
  )
  expect([...statuses].sort()).toEqual(['denied', 'executed', 'executed'])
})

test('people can be asked in place of a refusal', async () => {
  const questions: string[] = []
  const approvals = createMemoryApprovals({
    onQuestion({ question: { id, questions: asked } }) {
      questions.push(...asked.map(({ question }) => question))
      approvals.answer(id, { type: 'allow' }, 'ann')
    },
  })
  const plugin = cedar({ policies, onDeny: 'ask' })
  const { statuses } = await play(
    [callsOf('look', { path: 'secret' }), { text: 'Done.' }],
    { ...{ approvals, plugins: [plugin], tools: [echoTool('look')] } },
  )
  expect(questions).toEqual([expect.stringContaining('May "look" run')])
  expect(statuses).toEqual(['executed'])
})

test.each([
  ['a forbid that fails', { n: 1 }],
  ['a key that means more to Cedar', { __entity: { type: 'Agent', id: 'x' } }],
  ['half of a character', { a: '\ud800' }],
  ['the same, deeper', { a: [{ __extn: { fn: 'ip', arg: '1.1.1.1' } }] }],
])('what cannot be judged is denied: %s', async (_, args) => {
  const failing = `permit (principal, action, resource);
    forbid (principal, action, resource)
    when { context.args has n && context.args.n.missing == 1 };`
  const { statuses } = await played({ policies: failing }, args)
  expect(statuses).toEqual(['denied'])
})

test('null, fractions and lists come in a form that Cedar has', async () => {
  const exact = `permit (principal, action, resource) when {
    context.args.half == "0.5" && context.args.list.contains(2) &&
    !(context.args has nothing) && context.args.deep.flag };`
  const args = {
    half: 0.5,
    list: [1, 2, null],
    nothing: null,
    deep: { flag: true },
  }
  const { statuses } = await played({ policies: exact }, args)
  expect(statuses).toEqual(['executed'])
})

test('policies can be in a file', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'hookline-cedar-'))
  const file = join(folder, 'tools.cedar')
  try {
    await writeFile(file, policies)
    const { statuses } = await played({ file }, { path: 'secret' })
    expect(statuses).toEqual(['denied'])
    expect(() => cedar({ file: join(folder, 'none') })).toThrow(
      'cannot be read',
    )
  } finally {
    await rm(folder, { recursive: true })
  }
})

test.each([
  [{}, 'either policies or file'],
  [{ policies: 'permit', file: 'x' }, 'either policies or file'],
  [{ policies: 'permit (everything);' }, 'cannot be read'],
  [{ policies: 'x', onDeny: 'allow' }, 'onDeny'],
])('options that do not fit are refused: %j', (options, word) => {
  expect(() => cedar(options as CedarOptions)).toThrow(word)
})
