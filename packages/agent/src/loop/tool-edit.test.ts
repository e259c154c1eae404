import { ask, defineHook, type Hook, proceed, reject } from 'hookline'
import {
  type JsonObject,
  type PermissionDecision,
  permissionRequest,
  type SealedCall,
  toolGuard,
  toolPreCall,
} from 'hookline/lifecycle'
import { expect, test } from 'vitest'
import {
  type ApprovalsPort,
  createMemoryApprovals,
  createPolicy,
} from '../index.ts'
import {
  argsOf,
  endOf,
  recorder,
  runTurn,
  sealsOf,
  settle,
  told,
} from './fixtures/tool-bench.ts'

const calls = [{ tool: 'write', id: 'c1', args: { x: 1 } }]
const allow: PermissionDecision = { type: 'allow' }
const edit = (args: JsonObject): PermissionDecision => ({ type: 'edit', args })

/** Approvals that answer one question after the other, the last one for all. */
function answering(...decisions: PermissionDecision[]) {
  const asked: SealedCall[] = []
  const approvals = createMemoryApprovals({
    onQuestion: ({ question }) => {
      asked.push(question.call)
      const at = Math.min(asked.length, decisions.length) - 1
      approvals.answer(question.id, decisions[at] ?? allow, 'ann')
    },
  })
  return { approvals, asked }
}

/** Asks about everything, and keeps what it judged. */
function asker(seen: SealedCall[] = []): Hook {
  return defineHook({
    name: 'asker',
    on: toolGuard,
    run: (call) => {
      seen.push(call)
      return ask('sure?')
    },
  })
}

test('F188 an edit has a new seal, the guards judge it, and it runs once it is allowed', async () => {
  const { tool, ran } = recorder('write')
  const seen: SealedCall[] = []
  const { approvals, asked } = answering(edit({ x: 2 }), allow)
  const hooks = [asker(seen)]
  const bench = await runTurn({ calls, tools: [tool], approvals, hooks })
  expect(ran).toEqual([{ x: 2 }])
  expect(seen.map(({ args }) => args)).toEqual([
    ...[{ x: 1 }, { x: 2 }, { x: 2 }],
  ])
  expect(seen[0]?.seal).not.toBe(seen[1]?.seal)
  const seals = seen.map(({ seal }) => seal)
  expect(asked.map(({ seal }) => seal)).toEqual(seals.slice(0, 2))
  expect(seals[2]).toBe(seals[1])
  const [record] = sealsOf(bench)
  expect(record?.call.seal).toBe(seen[1]?.seal)
  expect(record?.call.originalArgs).toEqual({ x: 1 })
  expect(argsOf(bench, 'c1')).toEqual({ x: 2 })
})

test('F188 an edit is not yet a yes: a denial of the edited call runs nothing', async () => {
  const { tool, ran } = recorder('write')
  const no: PermissionDecision = { type: 'deny', reason: 'neither' }
  const { approvals } = answering(edit({ x: 2 }), no)
  const hooks = [asker()]
  const bench = await runTurn({ calls, tools: [tool], approvals, hooks })
  expect(ran).toEqual([])
  expect(told(bench, 'c1')).toBe('neither')
})

test('F188 an edit that breaks the schema is a denial that names the approver', async () => {
  const { tool, ran } = recorder('write', {
    input: { type: 'object', properties: { x: { type: 'number' } } },
  })
  const { approvals } = answering(edit({ x: 'two' }), allow)
  const hooks = [asker()]
  const bench = await runTurn({ calls, tools: [tool], approvals, hooks })
  expect(ran).toEqual([])
  expect(endOf(bench, 'c1').status).toBe('denied')
  expect(told(bench, 'c1')).toContain('ann')
})

test('F188 a guard that rejects the edited arguments denies the call', async () => {
  const { tool, ran } = recorder('write')
  const guard = defineHook({
    name: 'guard',
    on: toolGuard,
    run: ({ args }) => (args['x'] === 99 ? reject('not 99') : ask('sure?')),
  })
  const { approvals } = answering(edit({ x: 99 }), allow)
  const hooks = [guard]
  const bench = await runTurn({ calls, tools: [tool], approvals, hooks })
  expect(ran).toEqual([])
  expect(told(bench, 'c1')).toBe('not 99')
})

test('F188 a tool.pre_call gate that let the call pass is asked about the edited one', async () => {
  const { tool, ran } = recorder('write')
  const gate = defineHook({
    name: 'gate',
    on: toolPreCall,
    run: ({ args }) => (args['x'] === 99 ? reject('not 99') : proceed),
  })
  const { approvals } = answering(edit({ x: 99 }), allow)
  const hooks = [gate, asker()]
  await runTurn({ calls, tools: [tool], approvals, hooks })
  expect(ran).toEqual([])
})

test('F188 a tool.pre_call gate that matches only the edited arguments judges them', async () => {
  const { tool, ran } = recorder('write')
  const gate = defineHook({
    name: 'gate',
    on: toolPreCall,
    match: { args: { x: 99 } },
    run: () => reject('not 99'),
  })
  const { approvals } = answering(edit({ x: 99 }), allow)
  const hooks = [gate, asker()]
  await runTurn({ calls, tools: [tool], approvals, hooks })
  expect(ran).toEqual([])
})

test('F188 policy is asked about the edited arguments, and can deny them', async () => {
  const { tool, ran } = recorder('write')
  const policy = createPolicy({
    mode: 'open',
    rules: [{ args: { x: 99 }, decision: 'deny', reason: 'too much' }],
  })
  const { approvals } = answering(edit({ x: 99 }), allow)
  const hooks = [asker()]
  const bench = await runTurn({
    calls,
    tools: [tool],
    approvals,
    policy,
    hooks,
  })
  expect(ran).toEqual([])
  expect(told(bench, 'c1')).toBe('too much')
})

test('F188 a call is edited at most three times', async () => {
  const { tool, ran } = recorder('write')
  const edits = [2, 3, 4].map((x) => edit({ x }))
  const thrice = answering(...edits, allow)
  const hooks = [asker()]
  await runTurn({ calls, tools: [tool], approvals: thrice.approvals, hooks })
  expect(ran).toEqual([{ x: 4 }])
  const { approvals, asked } = answering(...edits, edit({ x: 5 }), allow)
  const bench = await runTurn({ calls, tools: [tool], approvals, hooks })
  expect(ran).toEqual([{ x: 4 }])
  expect(asked).toHaveLength(4)
  expect(endOf(bench, 'c1').status).toBe('denied')
})

test('F188 a hook that may approve can edit, too, and its edit is judged', async () => {
  const { tool, ran } = recorder('write')
  const seen: SealedCall[] = []
  let times = 0
  const editor = defineHook({
    name: 'editor',
    on: permissionRequest,
    capabilities: ['approve'],
    run: () => ({
      type: 'respond' as const,
      output: ++times === 1 ? edit({ x: 2 }) : allow,
    }),
  })
  const hooks = [asker(seen), editor]
  await runTurn({ calls, tools: [tool], hooks })
  expect(seen.map(({ args }) => args)).toEqual([
    ...[{ x: 1 }, { x: 2 }, { x: 2 }],
  ])
  expect(ran).toEqual([{ x: 2 }])
})

/** A port of somebody else's, which hands out its own objects. */
function portGiving(args: JsonObject, onAsked: (times: number) => void) {
  let times = 0
  const port: ApprovalsPort = {
    async ask() {
      times++
      onAsked(times)
      await settle()
      const decision = times === 1 ? edit(args) : allow
      return { decision, by: 'port' }
    },
  }
  return port
}

test('T19 an approver who changes the edited arguments afterwards changes nothing that runs', async () => {
  const { tool, ran } = recorder('write')
  const args = { deep: { x: 2 } }
  const approvals = portGiving(args, (times) => {
    if (times === 2) Reflect.set(args.deep, 'x', 99)
  })
  await runTurn({ calls, tools: [tool], approvals, hooks: [asker()] })
  expect(ran).toEqual([{ deep: { x: 2 } }])
})

test('T19 an approver whose arguments are frozen only outside changes nothing that runs', async () => {
  const { tool, ran } = recorder('write')
  const args = Object.freeze({ deep: { x: 2 } })
  const approvals = portGiving(args, (times) => {
    if (times === 2) Reflect.set(args.deep, 'x', 99)
  })
  await runTurn({ calls, tools: [tool], approvals, hooks: [asker()] })
  expect(ran).toEqual([{ deep: { x: 2 } }])
})

test('T19 an approver whose arguments say something else each time they are read runs nothing else than was judged', async () => {
  const judged: unknown[] = []
  const executed: unknown[] = []
  const { tool } = recorder('write', {
    execute: (args) => {
      executed.push(Object(args).x)
      return 'ran'
    },
  })
  let reads = 0
  const args = Object.defineProperty({}, 'x', {
    enumerable: true,
    get: () => ++reads,
  })
  const guard = defineHook({
    name: 'guard',
    on: toolGuard,
    run: (call) => {
      judged.push(call.args['x'])
      return ask('sure?')
    },
  })
  const approvals = portGiving(args, () => {})
  await runTurn({ calls, tools: [tool], approvals, hooks: [guard] })
  expect(executed.every((x) => x === judged.at(-1))).toBe(true)
})
