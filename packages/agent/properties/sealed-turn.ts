import type { BoundTool, Grant, Message } from 'hookline/lifecycle'
import { createFakeClock } from 'hookline/testing'
import {
  type ApprovalsPort,
  createPolicy,
  createRuntime,
  type PolicyPort,
  type Runtime,
  type SessionStore,
} from '../src/index.ts'
import { scriptedModel } from '../src/testing/index.ts'
import type { Approval, Case } from './sealed-case.ts'
import { type Acting, hooksOf } from './sealed-hooks.ts'
import { read, World } from './sealed-world.ts'

const longestMs = 400

/** Plays a case; what happened is in the world, the rest in history. */
export async function playTurn(example: Case): Promise<{
  readonly world: World
  readonly messages: readonly Message[]
}> {
  const { calls, hooks, others, concurrency, cancelAt } = example
  const clock = createFakeClock()
  const world = new World(clock)
  let runtime: Runtime | undefined
  let count = 0
  const acting: Acting = {
    world,
    runtime: () => runtime as Runtime,
    swap: () => {
      world.generation++
      const next = hooksOf(others, world.generation, acting)
      runtime?.swapHooks(next)
    },
  }
  const asked = calls.map((x, index) => {
    const args = { x, deep: { x } }
    return { tool: 'act', id: `c${index}`, args }
  })
  const model = scriptedModel([{ calls: asked }, { text: 'done' }])
  runtime = createRuntime({
    clock,
    nextId() {
      const id = `id-${++count}`
      if (world.calling !== undefined) world.callers.set(id, world.calling)
      return id
    },
    hooks: hooksOf(hooks, 0, acting),
    policy: policyOf(example, world),
    approvals: approvalsOf(example, world),
    store: storeOf(world),
    models: { resolve: () => model },
    toolConcurrency: concurrency,
    // A hook that keeps failing open would be left out, as it is meant to be.
    engine: { breakerFailures: 1_000_000 },
  })
  const config = { name: 'main', model: 'm', instructions: '' }
  await runtime.register(config, { tools: [toolOf(example, world)] })
  const session = await runtime.openSession({ agent: 'main' })
  const turn = session.send('go')
  let isOver = false
  const over = turn.result.then(
    () => {
      isOver = true
    },
    () => {
      isOver = true
    },
  )
  for (let ms = 0; !isOver && ms < longestMs; ms++) {
    if (ms === cancelAt) turn.cancel()
    await clock.advance(1)
  }
  if (!isOver) throw new Error(`The turn goes on after ${longestMs} ms.`)
  await over
  // Whatever is late is later than this.
  await clock.advance(20)
  return { world, messages: session.messages }
}

function toolOf({ check }: Case, world: World): BoundTool {
  return {
    name: 'act',
    description: 'Acts.',
    inputSchema: { type: 'object' },
    safety: 'mutating',
    ...(check === 'code' && { checkArgs: (args) => ({ args }) }),
    ...(check === 'fills' && {
      checkArgs: (args) => ({ args: { z: 7, ...args } }),
    }),
    async dispatch({ id, args, seal }) {
      const now = read(args)
      const isRecorded = world.sealed.some((one) => one.seal === seal)
      if (!isRecorded) world.faults.push(`${id} ran without its record`)
      world.ran.push({ call: id, args: now, seal })
      world.meddle()
      await world.wait(2)
      if (read(args) !== now) world.faults.push(`${id} changed while it ran`)
      return { content: [{ type: 'text', text: now }], isError: false }
    },
  }
}

function policyOf({ policy }: Case, world: World): PolicyPort {
  const open = createPolicy({ mode: 'open' })
  const { denies, asks, isAsync } = policy
  return {
    needsGate: () => false,
    grant(call, scope) {
      const args = read(call.args)
      const x = call.args['x']
      const isAsked = x === asks ? 'ask' : 'allow'
      const decision: Grant['decision'] = x === denies ? 'deny' : isAsked
      world.granted.push({ call: call.id, args, decision })
      world.meddle()
      // The open policy answers at once.
      const grant = { ...(open.grant(call, scope) as Grant), decision }
      return isAsync ? Promise.resolve(grant) : grant
    },
  }
}

function approvalsOf({ approvals }: Case, world: World): ApprovalsPort {
  let count = 0
  const decide = (decision: Approval) => {
    if (decision.type === 'deny') return { ...decision, reason: 'no' }
    if (decision.type === 'allow') return decision
    return { type: 'edit' as const, args: world.argsOf(decision.args) }
  }
  return {
    async ask({ call }) {
      const { id, args, seal } = call
      const now = read(args)
      const answer = approvals[count++ % approvals.length]
      world.meddle()
      await world.wait(answer?.delayMs ?? 0)
      world.meddle()
      const decision = decide(answer?.decision ?? { type: 'deny' })
      if (decision.type === 'allow') {
        world.allowed.push({ call: id, args: now, seal })
      }
      return { decision, by: 'ann' }
    },
  }
}

function storeOf(world: World): SessionStore {
  return {
    load: () => undefined,
    create: () => {},
    delete: () => {},
    append(_session, entries) {
      for (const entry of entries) {
        if (entry.type !== 'call-seal') continue
        const { id, args, seal } = entry.call
        world.sealed.push({ call: id, args: read(args), seal })
      }
      world.meddle()
    },
  }
}
