import {
  type Answer,
  ask,
  endTurn,
  proceed,
  reject,
  respond,
  transform,
} from 'hookline'
import {
  type EndedCall,
  type PermissionQuestion,
  permissionRequest,
  permissionResolved,
  toolPostBatch,
  toolPostCall,
  toolPreCall,
} from 'hookline/lifecycle'
import { isSameData } from '../data/same-data.ts'
import {
  aliasCall,
  aliasError,
  aliasResponse,
  ownArgs,
  textOf,
} from './alias-call.ts'
import type { ForeignHook } from './dialect.ts'
import { type At, kindAt, type MomentAt } from './kind.ts'
import type { Merged } from './merge-verdicts.ts'
import type { AliasedCall } from './moment.ts'
import { stopLater } from './stop-later.ts'
import { readUpdatedResult } from './updated-result.ts'
import { words } from './words.ts'

const speaks = ['context', 'notice']

// What may change something runs before the gates of others, which are to
// judge what comes of it; on the way out that is the higher number.
const writesFirst = { priority: 50, writes: true }
const writesFirstBack = { priority: 150, writes: true }

export const toolPre = kindAt(toolPreCall, {
  ...writesFirst,
  capabilities: speaks,
  facts: (call, at) => ({ kind: 'tool-pre', call: callAt(call, at) }),
  answer(said, call, at) {
    const { aliases } = at.world
    const { rulings } = at.world.memory
    const { hook } = at.context
    const aliased = callAt(call, at)
    rulings.begin(call, at.scope, hook)
    if (said.stop !== undefined) {
      const reason = words.stop(said.stop)
      // A hook that is asked again cannot end the turn: the guard does it then.
      rulings.stop(call, at.scope, { hook, reason })
      return endTurn(reason)
    }
    if (said.decision === 'deny') return reject(words.denial(said))
    const updated = said.updatedInput
    const args =
      updated === undefined
        ? call.args
        : ownArgs(aliased, updated, { cwd: at.cwd, aliases })
    const isChanged = !isSameData(args, call.args)
    const isAsked = said.decision === 'ask' || said.decision === 'defer'
    if (isAsked && !isChanged) return ask(words.question(said))
    // One answer cannot both change and ask: what is left is for the guard.
    if (isAsked) rulings.ask(call, at.scope, words.question(said))
    else if (said.decision === 'allow') approve(said, args, at)
    return isChanged ? transform(args) : proceed
  },
})

/** For these arguments, also where it judges them when it is asked again. */
function approve(
  { by }: Merged,
  args: EndedCall['call']['args'],
  { world, scope, moment, context }: MomentAt,
): void {
  if (moment.kind !== 'tool-pre' || by === undefined) return
  if (!mayApprove(by, { world, context })) return
  const { id } = moment.call
  const who = { by: by.id, hook: context.hook }
  world.memory.rulings.approve({ id, args }, scope, who)
}

function mayApprove(
  hook: ForeignHook,
  { world: { parts }, context }: Pick<MomentAt, 'world' | 'context'>,
): boolean {
  const isRight = parts.mayApprove?.(hook) ?? parts.isStrict !== true
  if (!isRight) {
    const message = `${hook.id} allows the call, but may not answer for the user.`
    context.diagnose('not-honoured', message)
  }
  return isRight
}

export const permission = kindAt(permissionRequest, {
  capabilities: ['approve', 'notice'],
  facts: ({ call }, at) => ({ kind: 'permission', call: callAt(call, at) }),
  answer(said, { call, questions }, at) {
    const { aliases, parts } = at.world
    stopLater(said, at)
    if (said.decision === 'deny') {
      return respond({ type: 'deny', reason: words.denial(said) })
    }
    // Whoever agrees to a call, it does not begin in a turn that is to end.
    if (said.stop !== undefined) {
      return respond({ type: 'deny', reason: words.stop(said.stop) })
    }
    if (said.decision !== 'allow' || said.by === undefined) return proceed
    if (!mayApprove(said.by, at)) return proceed
    if (parts.mayAnswer?.(said.by, questions) === false) {
      const message = `${said.by.id} allows the call, but a managed hook asks about it.`
      at.context.diagnose('not-honoured', message)
      return proceed
    }
    if (said.updatedInput === undefined) return respond({ type: 'allow' })
    const aliased = callAt(call, at)
    const args = ownArgs(aliased, said.updatedInput, { cwd: at.cwd, aliases })
    return isSameData(args, call.args)
      ? respond({ type: 'allow' })
      : respond({ type: 'edit', args })
  },
})

/** After every hook that could have answered: now a person is asked. */
export const notification = kindAt(permissionRequest, {
  priority: 10_000,
  capabilities: [],
  facts({ call }, at) {
    const aliased = callAt(call, at)
    const message = `The agent needs your permission to use ${aliased.name}`
    return {
      kind: 'notification',
      type: 'permission_prompt',
      message,
      call: aliased,
    }
  },
  answer: () => proceed,
})

export const permissionDenied = kindAt(permissionResolved, {
  capabilities: ['notice'],
  isCarried: true,
  facts({ call, decision, by }, at) {
    const isUnasked = by.kind === 'nobody' && by.because === 'unasked'
    if (decision.type !== 'deny' || !isUnasked) return undefined
    const { reason } = decision
    return { kind: 'permission-denied', call: callAt(call, at), reason }
  },
  answer(said, _: PermissionQuestion, at) {
    const { memory } = at.world
    stopLater(said, at)
    const told = said.context.map(({ hook, text }) => words.label(hook, text))
    memory.tellLater(memory.laterOf(at.scope.sessionId ?? ''), told)
    return proceed
  },
})

export const toolPost = kindAt(toolPostCall, {
  ...writesFirstBack,
  capabilities: speaks,
  facts({ call, result, status, elapsedMs }, at) {
    const hasResult = status === 'executed' || status === 'synthesized'
    if (!hasResult || result.isError) return undefined
    const aliased = callAt(call, at)
    const response = aliasResponse(aliased, result, at.world.aliases)
    return { kind: 'tool-post', call: aliased, response, elapsedMs }
  },
  answer(said, { result }, at): Answer {
    const { moment } = at
    if (moment.kind !== 'tool-post') return proceed
    if (said.decision === 'deny') {
      stopLater(said, at)
      return reject(words.denial(said))
    }
    const made =
      said.updatedOutput === undefined
        ? undefined
        : readUpdatedResult(said.updatedOutput, moment.response)
    if (made === undefined || isSameData(made, result)) {
      return said.stop === undefined ? proceed : endTurn(words.stop(said.stop))
    }
    // One answer cannot both change the result and end the turn.
    stopLater(said, at)
    return transform(made)
  },
})

export const toolFailure = kindAt(toolPostCall, {
  capabilities: speaks,
  facts({ call, result, status, elapsedMs }, at) {
    if (status !== 'executed' || !result.isError) return undefined
    if (result.error !== 'tool' && result.error !== 'timeout') return undefined
    const isTimeout = result.error === 'timeout'
    const aliased = callAt(call, at)
    const text = textOf(result.content)
    const error = aliasError(aliased, text, at.world.aliases)
    return { kind: 'tool-failure', call: aliased, error, isTimeout, elapsedMs }
  },
  answer(said, _, at) {
    if (said.decision === 'deny') {
      stopLater(said, at)
      return reject(words.denial(said))
    }
    return said.stop === undefined ? proceed : endTurn(words.stop(said.stop))
  },
})

export const toolBatch = kindAt(toolPostBatch, {
  capabilities: speaks,
  facts({ results }, at) {
    const calls = results.map(({ call, result }) => {
      const aliased = callAt(call, at)
      const response = aliasResponse(aliased, result, at.world.aliases)
      return { ...aliased, response }
    })
    return { kind: 'tool-batch', calls }
  },
  answer(said) {
    if (said.stop !== undefined) return endTurn(words.stop(said.stop))
    if (said.decision === 'deny') return endTurn(words.denial(said))
    return proceed
  },
})

function callAt(call: EndedCall['call'], { world, cwd }: At): AliasedCall {
  return aliasCall(call, cwd, world.aliases)
}
