import {
  type Answer,
  ask,
  endTurn,
  type Hook,
  proceed,
  reject,
  replace,
  respond,
  transform,
} from 'hookline'
import {
  type GrantedCall,
  type JsonObject,
  type ToolResult,
  toolGuard,
  toolPreCall,
} from 'hookline/lifecycle'
import type { AnyContext, Runtime } from '../src/index.ts'
import type { Behaviour, HookSpec } from './sealed-case.ts'
import { type Judged, read, type World } from './sealed-world.ts'

export interface Acting {
  readonly world: World
  /** There once it has been made, which is before any hook runs. */
  readonly runtime: () => Runtime
  /** Puts the other hooks in place. */
  readonly swap: () => void
}

type AnyAnswer = Answer<JsonObject, ToolResult>

const words: Readonly<Record<AnyAnswer['type'], Judged['answer']>> = {
  proceed: 'pass',
  reject: 'reject',
  ask: 'ask',
  transform: 'write',
  replace: 'replace',
  respond: 'other',
  endTurn: 'other',
  keepGoing: 'other',
}

const timeoutMs = 5

/** The hooks of a generation, and one guard that sees every call. */
export function hooksOf(
  specs: readonly HookSpec[],
  generation: number,
  acting: Acting,
): Hook[] {
  const hooks = specs.map((spec, index) =>
    makeHook(spec, nameOf(generation, index), generation, acting),
  )
  return [makeHook(witness, `g${generation}-w`, generation, acting), ...hooks]
}

export function nameOf(generation: number, index: number): string {
  return `g${generation}-${index}`
}

export const witness: HookSpec = {
  at: 'guard',
  priority: 0,
  behaviour: { type: 'proceed' },
  again: { type: 'proceed' },
  delayMs: 0,
  onFailure: 'closed',
  mode: 'enforce',
  onlyX: undefined,
}

function makeHook(
  spec: HookSpec,
  name: string,
  generation: number,
  acting: Acting,
): Hook {
  const { at, priority, delayMs, onFailure, mode, onlyX } = spec
  const times = new Map<string, number>()
  const { world } = acting
  const run = (call: GrantedCall, context: AnyContext) => {
    const count = (times.get(call.id) ?? 0) + 1
    times.set(call.id, count)
    const behaviour = count === 1 ? spec.behaviour : spec.again
    const judged: Judged = {
      ...{ call: call.id, hook: name, at, generation },
      args: read(call.args),
      answer: 'none',
    }
    world.judged.push(judged)
    world.meddle()
    const say = () => {
      world.meddle()
      if (read(call.args) !== judged.args) {
        world.faults.push(`what ${name} was shown changed under it`)
      }
      const answer = answerOf(behaviour, call, acting)
      if (!context.signal.aborted) judged.answer = words[answer.type]
      return answer
    }
    if (behaviour.type === 'call') {
      return callTool(behaviour, context, acting).then(say)
    }
    return delayMs === 0 ? say() : world.wait(delayMs).then(say)
  }
  return {
    name,
    on: at === 'pre' ? toolPreCall : toolGuard,
    priority,
    timeoutMs,
    onFailure,
    mode,
    ...(at === 'pre' && { writes: true, beforeWrites: true }),
    ...(onlyX !== undefined && {
      match: ({ args }: GrantedCall) => args['x'] === onlyX,
    }),
    // One hook for both points: what it may say is in its specification.
    run: run as Hook['run'],
  }
}

async function callTool(
  { args }: Extract<Behaviour, { type: 'call' }>,
  context: AnyContext,
  { world, runtime }: Acting,
): Promise<void> {
  // A call of a call would be judged by fewer still.
  if (Object(context.scope).origin === 'hook') return
  const given = { tool: 'act', args: world.argsOf(args) }
  world.calling = context.hook
  const ended = runtime().callTool(context, given)
  world.calling = undefined
  world.meddle()
  await ended
}

function answerOf(
  behaviour: Behaviour,
  call: GrantedCall,
  { world, swap }: Acting,
): AnyAnswer {
  switch (behaviour.type) {
    case 'proceed':
    case 'call':
      return proceed
    case 'reject':
      return reject('no')
    case 'reject-some':
      return call.args['x'] === behaviour.x ? reject('not this') : proceed
    case 'ask':
      return ask('sure?')
    case 'throw':
      throw new Error('broken')
    case 'tamper':
      tamper(call, world)
      return proceed
    case 'swap':
      swap()
      return proceed
    case 'transform':
      return transform(world.argsOf(behaviour.args))
    case 'replace':
      return replace(world.argsOf(behaviour.args))
    case 'respond':
      return respond({ content: [], isError: false })
    case 'endTurn':
      return endTurn('enough')
  }
}

/** Everything that one can try with an object that one was given. */
function tamper(call: GrantedCall, world: World): void {
  const { args } = call
  for (const object of [args, Object(args['deep'])]) {
    Reflect.set(object, 'x', 99)
    Reflect.defineProperty(object, 'x', { get: () => 99 })
    Reflect.deleteProperty(object, 'x')
    Reflect.setPrototypeOf(object, { x: 99 })
    world.keep(object, 99)
  }
  Reflect.set(call, 'args', { x: 99, deep: { x: 99 } })
  Reflect.set(call, 'grant', { decision: 'allow' })
}
