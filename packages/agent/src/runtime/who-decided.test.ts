import { ask, defineHook, endTurn, type Hook, reject, respond } from 'hookline'
import {
  permissionRequest,
  permissionResolved,
  toolGuard,
  toolPreCall,
} from 'hookline/lifecycle'
import { expect, test } from 'vitest'
import { createPolicy, type PolicyRule } from '../index.ts'
import { forEachDatabase } from '../store/fixtures/databases.ts'
import { whyCall } from '../store/queries/why-call.ts'
import { askingModel, notedTool } from './fixtures/crashes.ts'
import { beginLife } from './fixtures/durable.ts'

const ann = { kind: 'user', id: 'ann' } as const

const asks: PolicyRule = { tool: 'risky', decision: 'ask' }
const denies: PolicyRule = { tool: 'risky', decision: 'deny', reason: 'No.' }
const noSecrets: PolicyRule = {
  tool: 'risky',
  args: { path: 'secret' },
  decision: 'deny',
}

const gate = (on: typeof toolPreCall | typeof toolGuard): Hook =>
  defineHook({ name: 'gate', on, run: () => reject('Not here.') })

/** A hook that answers for the user. */
const stand = (run: () => ReturnType<typeof respond>): Hook =>
  defineHook({
    name: 'stand-in',
    on: permissionRequest,
    capabilities: ['approve'],
    // What it says is checked where it is read.
    run: run as never,
  })

interface Case {
  readonly rules?: readonly PolicyRule[]
  readonly hooks?: readonly Hook[]
  readonly tools?: readonly string[]
  readonly answer?: 'deny'
}

const cases: [string, Case, { kind: string; name?: string | undefined }][] = [
  ['policy', { rules: [denies] }, { kind: 'policy' }],
  [
    'a gate at tool.pre_call',
    { hooks: [gate(toolPreCall)] },
    { kind: 'hook', name: 'gate' },
  ],
  ['a guard', { hooks: [gate(toolGuard)] }, { kind: 'hook', name: 'gate' }],
  [
    'a guard whose name reads as a secret and its value',
    {
      hooks: [
        defineHook({
          name: 'secrets:looks-at-arguments',
          on: toolGuard,
          run: () => reject('Not here.'),
        }),
      ],
    },
    { kind: 'hook', name: 'secrets:looks-at-arguments' },
  ],
  ['the list of tools', { tools: ['unheard-of'] }, { kind: 'check' }],
  [
    'a hook that answers for the user',
    {
      rules: [asks],
      hooks: [stand(() => respond({ type: 'deny', reason: 'Never.' }))],
    },
    { kind: 'hook', name: 'stand-in' },
  ],
  [
    'policy, of what a hook made of the call when it answered for the user',
    {
      rules: [asks, noSecrets],
      hooks: [stand(() => respond({ type: 'edit', args: { path: 'secret' } }))],
    },
    { kind: 'policy' },
  ],
  [
    'a hook that must not fail, after somebody has agreed',
    {
      rules: [asks],
      hooks: [
        stand(() => respond({ type: 'allow' })),
        defineHook({
          name: 'broken',
          on: permissionResolved,
          onFailure: 'required',
          run: () => {
            throw new Error('out of order')
          },
        }),
      ],
    },
    { kind: 'hook', name: 'broken' },
  ],
  [
    'a person',
    { rules: [asks], answer: 'deny' },
    { kind: 'person', name: 'user:ann' },
  ],
  [
    'a hook that gives the result itself',
    {
      hooks: [
        defineHook({
          name: 'cache',
          on: toolPreCall,
          run: () => respond({ content: [], isError: false }),
        }),
      ],
    },
    { kind: 'hook', name: 'cache' },
  ],
  [
    'a hook that ends the turn',
    {
      hooks: [
        defineHook({
          name: 'stop',
          on: toolPreCall,
          run: () => endTurn('Enough.'),
        }),
      ],
    },
    { kind: 'hook', name: 'stop' },
  ],
  [
    'a guard, after another hook wanted somebody asked',
    {
      hooks: [
        defineHook({
          name: 'asker',
          on: toolPreCall,
          run: () => ask('May it?'),
        }),
        gate(toolGuard),
      ],
    },
    { kind: 'hook', name: 'gate' },
  ],
]

forEachDatabase((kit) => {
  test.each(cases)(
    'whoever kept a call from running is on record: %s',
    async (_name, {
      rules = [],
      hooks = [],
      tools = ['risky'],
      answer,
    }, by) => {
      const model = askingModel(tools)
      const life = await beginLife({
        place: await kit.newPlace(),
        policy: createPolicy({ mode: 'open', rules }),
        hooks,
        tools: [notedTool('risky', [])],
        models: { resolve: () => model },
      })
      const { store, runtime } = life
      const session = await runtime.openSession({ agent: 'main', id: 's' })
      const { id: turnId, result } = session.send('Go.')
      if (answer === 'deny') {
        const pending = async () => (await store.approvals.pending()).items
        await expect.poll(pending).toHaveLength(1)
        const [asked] = await pending()
        const { id = '', shownHash = '' } = asked ?? {}
        const no = { type: 'deny', reason: 'No.', shownHash } as const
        await store.approvals.answer(id, no, ann)
      }
      await result
      const callId = `call-${tools[0]}`
      const why = await whyCall(store.parts, { turnId, callId })
      expect(why?.decidedBy).toMatchObject({ name: undefined, ...by })
      // Who judged is told once, by the run and by the journal alike.
      const judges = why?.verdicts.map(({ hook }) => hook) ?? []
      expect(judges).toEqual([...new Set(judges)])
      await life.close()
    },
  )
})
