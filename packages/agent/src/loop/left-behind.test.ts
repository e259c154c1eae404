import { ask, defineHook, respond } from 'hookline'
import {
  type BoundTool,
  permissionRequest,
  toolGuard,
  toolPostCall,
} from 'hookline/lifecycle'
import { describe, expect, test } from 'vitest'
import * as z from 'zod'
import { createMemoryApprovals, createPolicy, defineTool } from '../index.ts'
import { brief } from '../runtime/fixtures/paired.ts'
import { openStage } from '../runtime/fixtures/stage.ts'
import { endless, tool } from '../runtime/fixtures/tools.ts'
import { openBench, recorder, settle, told } from './fixtures/tool-bench.ts'

describe('a sub-agent that a tool has begun', () => {
  const helper = { name: 'helper', model: 'scripted/model', instructions: '' }
  const task = { agent: helper, task: 'Help.' }

  test.each(['returns', 'throws', 'returns when it works'])(
    'ends with the call, if that %s without it',
    async (how) => {
      let isRunning = false
      let isStopped = false
      const wait = endless('wait', () => {
        isRunning = true
      })
      const leaving = tool('leave', async (_, context) => {
        const done = context.delegate(task).then(() => {
          isStopped = true
        })
        done.catch(() => {})
        if (how === 'returns') return 'left'
        if (how === 'throws') throw new Error('left')
        await expect.poll(() => isRunning).toBe(true)
        return 'left'
      })
      const { session } = await openStage(
        ({ messages }) =>
          brief(messages).at(-1) === 'user: Help.'
            ? { calls: [{ tool: 'wait' }] }
            : brief(messages).at(-1) === 'user: Go.'
              ? { calls: [{ tool: 'leave' }] }
              : { text: 'Done.' },
        { tools: [leaving, wait] },
      )
      await session.send('Go.').result
      await expect.poll(() => isStopped).toBe(true)
    },
  )

  test('cannot be begun when the call is over', async () => {
    let later: (() => Promise<unknown>) | undefined
    const leaving = tool('leave', (_, context) => {
      later = () => context.delegate(task)
      return 'left'
    })
    const { say } = await openStage(
      [{ calls: [{ tool: 'leave' }] }, { text: 'Done.' }],
      { tools: [leaving] },
    )
    await say('Go.')
    await expect(later?.()).rejects.toThrow('The call is over.')
  })
})

describe('a call that is asked about anew after each yes', () => {
  const allowing = defineHook({
    name: 'allowing',
    on: permissionRequest,
    capabilities: ['approve'],
    run: () => respond({ type: 'allow' }),
  })

  test('is denied in the end', async () => {
    let count = 0
    const wavering = defineHook({
      name: 'wavering',
      on: toolGuard,
      run: () => ask(`Spend it? ${++count}`),
    })
    const { tool: spend, ran } = recorder('spend')
    const bench = await openBench({
      calls: [{ tool: 'spend', id: 'c1' }],
      tools: [spend],
      hooks: [wavering, allowing],
    })
    await bench.session.send('go').result
    expect(ran).toEqual([])
    expect(told(bench, 'c1')).toContain('asked about anew')
  })

  test('is denied if its schema changes what it gave', async () => {
    const ran: unknown[] = []
    const pay: BoundTool = defineTool({
      name: 'pay',
      description: 'Pays.',
      input: z.object({ amount: z.number().transform((x) => x * 100) }),
      safety: 'mutating',
      execute: (args) => {
        ran.push(args)
        return 'paid'
      },
    })
    const bench = await openBench({
      calls: [{ tool: 'pay', id: 'c1', args: { amount: 1 } }],
      tools: [pay],
      hooks: [allowing],
      policy: createPolicy(),
    })
    await bench.session.send('go').result
    expect(ran).toEqual([])
    expect(told(bench, 'c1')).toContain('each time it reads them')
  })
})

test('when a hook that must not fail has failed, calls that wait for people or a place do not begin', async () => {
  const failing = defineHook({
    name: 'failing',
    on: toolPostCall,
    match: { tool: 'quick' },
    onFailure: 'required',
    run: () => {
      throw new Error('broken')
    },
  })
  const asking = defineHook({
    name: 'asking',
    on: toolGuard,
    match: { tool: 'asked' },
    run: () => ask('May it?'),
  })
  const quick = recorder('quick')
  const asked = recorder('asked')
  const placed = recorder('placed')
  const bench = await openBench({
    calls: [
      { tool: 'asked', id: 'c1' },
      { tool: 'quick', id: 'c2' },
      { tool: 'placed', id: 'c3' },
    ],
    tools: [quick.tool, asked.tool, placed.tool],
    hooks: [failing, asking],
    approvals: createMemoryApprovals(),
    toolConcurrency: 1,
  })
  const { status } = await bench.session.send('go').result
  await settle()
  expect(status).toBe('failed')
  expect(quick.ran).toHaveLength(1)
  expect([...asked.ran, ...placed.ran]).toEqual([])
  expect(told(bench, 'c1')).toContain('a hook that must not fail has failed')
})
