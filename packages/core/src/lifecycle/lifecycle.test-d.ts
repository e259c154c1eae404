import { keepGoing, reject, respond, transform } from '../define/answers.ts'
import { deadline, defineHook } from '../define/define-hook.ts'
import { type Outcome, proceed, type ShapeOf } from '../engine/index.ts'
import type { AgentScope, ModelResponse, PermissionDecision } from './index.ts'
import {
  audit,
  event,
  job,
  llmError,
  type llmPostCall,
  llmPreCall,
  notice,
  type permissionRequest,
  type points,
  promptContext,
  promptSection,
  toolGuard,
  toolPostCall,
  toolPreCall,
  turnPostTurn,
  type turnPrePolicy,
  turnStop,
} from './index.ts'

type Equal<A, B> =
  (<T>() => T extends A ? 1 : 2) extends <T>() => T extends B ? 1 : 2
    ? true
    : false

function isTrue<T extends true>(): T | undefined {
  return undefined
}

// The types of a point stay exact behind the helper.
isTrue<Equal<ShapeOf<typeof toolGuard>['answers'], 'reject' | 'ask'>>()
isTrue<Equal<ShapeOf<typeof toolGuard>['scope'], AgentScope>>()
isTrue<
  Equal<
    ShapeOf<typeof toolGuard>['fields'],
    'tool' | 'owner' | 'safety' | 'args' | 'agent' | 'origin'
  >
>()
isTrue<
  Equal<
    ShapeOf<typeof turnPrePolicy>['contributions']['kind'],
    'policy' | 'notice' | 'audit' | 'job'
  >
>()
isTrue<
  Equal<ShapeOf<typeof turnPrePolicy>['unwaited']['kind'], 'audit' | 'job'>
>()
isTrue<Equal<ShapeOf<typeof event>['flow'], 'observe'>>()
isTrue<Equal<ShapeOf<typeof turnStop>['output'], never>>()
isTrue<Equal<ShapeOf<typeof llmPostCall>['value'], ModelResponse>>()
isTrue<
  Equal<
    Extract<Outcome<typeof permissionRequest>, { type: 'respond' }>['output'],
    PermissionDecision
  >
>()
isTrue<Equal<(typeof points)['tool.pre_call'], typeof toolPreCall>>()

defineHook({
  name: 'guard',
  on: toolGuard,
  match: { tool: 'bash', args: { command: 'rm *' }, agent: 'main' },
  run: ({ args, seal, grant }, { scope }) =>
    typeof args['command'] === 'string' && grant.roots.length > 0 && seal !== ''
      ? reject(`Not in session ${scope.sessionId}.`)
      : proceed,
})

defineHook({
  name: 'guard-that-rewrites',
  on: toolGuard,
  // @ts-expect-error a guard judges what will run; it cannot change it
  run: ({ args }) => transform(args),
})

defineHook({
  name: 'guard-that-writes',
  on: toolGuard,
  writes: true,
  // @ts-expect-error declaring writes opens nothing that the point has not
  run: ({ args }) => transform(args),
})

defineHook({
  name: 'rewrite',
  on: toolPreCall,
  writes: true,
  run: ({ args }) => transform({ ...args, safe: true }),
})

defineHook({
  name: 'rewrite-undeclared',
  on: toolPreCall,
  // @ts-expect-error a hook that changes the arguments declares that it writes
  run: ({ args }) => transform(args),
})

defineHook({
  name: 'rewrite-call',
  on: toolPreCall,
  writes: true,
  // @ts-expect-error only arguments change, never the whole call
  run: (call) => transform({ ...call, tool: 'other' }),
})

defineHook({
  name: 'rewrite-request',
  on: llmPreCall,
  writes: true,
  run: ({ request }) => transform({ ...request, model: 'small' }),
})

defineHook({
  name: 'result-without-its-kind',
  on: toolPostCall,
  writes: true,
  // @ts-expect-error an error says which kind it is
  run: () => transform({ content: [], isError: true }),
})

defineHook({
  name: 'retry',
  on: llmError,
  match: { code: ['rate_limited', 'overloaded'], attempt: 1 },
  run: ({ error }) =>
    respond({ type: 'retry', afterMs: error.retryAfterMs ?? 1_000 }),
})

defineHook({
  name: 'retry-with-words',
  on: llmError,
  // @ts-expect-error the answer to an error is a retry decision
  run: () => respond('again'),
})

defineHook({
  name: 'misspelt',
  on: toolPreCall,
  // @ts-expect-error the point has a field `tool`, not `tol`
  match: { tol: 'bash' },
  run: () => proceed,
})

defineHook({
  name: 'no-such-field',
  on: turnStop,
  // @ts-expect-error no tool is called where a turn stops
  match: { tool: 'bash' },
  run: () => keepGoing('Run the tests first.'),
})

defineHook({
  name: 'recall',
  on: toolPostCall,
  capabilities: ['context', 'notice'],
  run: (_, context) => {
    context.contribute(promptContext({ id: 'a', domain: 'b', content: 'c' }))
    context.contribute(notice({ message: 'Recalled one entry.' }))
    return proceed
  },
})

defineHook({
  name: 'observer',
  on: toolPostCall,
  execution: 'record',
  capabilities: ['audit', 'job'],
  run: ({ status }, context) => {
    context.contribute(audit({ event: 'tool.seen', details: { status } }))
    context.contribute(job({ id: 'index', payload: null }))
    // @ts-expect-error an observer cannot tell the model anything
    context.contribute(promptContext({ id: 'a', domain: 'b', content: 'c' }))
    // @ts-expect-error nor the user: nobody waits for it
    context.contribute(notice({ message: 'Seen.' }))
  },
})

defineHook({
  name: 'wrong-kind',
  on: turnPostTurn,
  run: (_, context) => {
    // @ts-expect-error there is no prompt left to write a section of
    context.contribute(promptSection({ section: 'a', content: 'b' }))
    return proceed
  },
})

defineHook({
  name: 'closed-stop',
  on: turnStop,
  // @ts-expect-error nothing can be refused where a turn stops
  onFailure: 'closed',
  run: () => proceed,
})

defineHook({
  name: 'closed-guard',
  on: toolGuard,
  execution: deadline(100),
  onFailure: 'closed',
  run: () => proceed,
})

defineHook({
  name: 'event-that-answers',
  on: event,
  // @ts-expect-error events are watched, not decided
  run: () => reject('Stop.'),
})

defineHook({
  name: 'event-waited-for',
  on: event,
  // @ts-expect-error nobody waits for an observer of events
  execution: 'blocking',
  run: () => {},
})
