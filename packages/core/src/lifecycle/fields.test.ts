import { expect, test } from 'vitest'
import type { Point } from '../engine/index.ts'
import { points } from './points.ts'

const call = { tool: 'bash', owner: 'os', safety: 'mutating', args: { a: 1 } }
const request = { model: 'm' }
const error = { code: 'timeout', isRetryable: true }
const scope = { agent: 'main', origin: 'user', coreType: 'cli' }
const ofCall = { tool: 'bash', owner: 'os', safety: 'mutating', args: { a: 1 } }

/** By point: an input, and what its own fields read from it. */
const cases: Readonly<Record<string, readonly [object, object]>> = {
  'agent.build': [{ config: request }, { model: 'm' }],
  'agent.register': [{ config: request }, { model: 'm' }],
  'agent.unregister': [{ config: request }, { model: 'm' }],
  'session.start': [{ source: 'resume' }, { source: 'resume' }],
  'session.end': [{ reason: 'expired' }, { reason: 'expired' }],
  'turn.input': [{}, {}],
  'turn.pre_turn': [{}, {}],
  'turn.pre_policy': [request, { model: 'm' }],
  'turn.pre_prompt_context': [request, { model: 'm' }],
  'turn.pre_tool_materialization': [request, { model: 'm' }],
  'turn.post_preflight_prompt_context': [
    { model: 'm', plan: { source: 'local' } },
    { model: 'm', plan: 'local' },
  ],
  'turn.pre_prompt_compile': [request, { model: 'm' }],
  'turn.post_prompt_compile': [request, { model: 'm' }],
  'llm.pre_call': [
    { request, attempt: 2 },
    { model: 'm', attempt: 2 },
  ],
  'llm.post_call': [
    {
      request,
      attempt: 2,
      type: 'response',
      response: { stopReason: 'other' },
    },
    { model: 'm', attempt: 2, type: 'response', stopReason: 'other' },
  ],
  'llm.error': [
    { request, attempt: 1, error },
    { model: 'm', attempt: 1, code: 'timeout', isRetryable: true },
  ],
  'tool.pre_call': [call, ofCall],
  'tool.guard': [call, ofCall],
  'permission.request': [{ call }, ofCall],
  'permission.resolved': [
    { call, decision: { type: 'deny' } },
    { ...ofCall, decision: 'deny' },
  ],
  'tool.post_call': [
    { call, status: 'executed', result: { isError: false } },
    { ...ofCall, status: 'executed', isError: false },
  ],
  'tool.post_batch': [{}, {}],
  'compaction.pre': [{ trigger: 'manual' }, { trigger: 'manual' }],
  'compaction.post': [{ trigger: 'manual' }, { trigger: 'manual' }],
  'turn.stop': [
    { stopReason: 'end_turn', isVoluntary: true },
    { stopReason: 'end_turn', isVoluntary: true },
  ],
  'turn.output': [{}, {}],
  'turn.error': [{ error }, { code: 'timeout' }],
  'turn.post_turn': [
    { status: 'limited', summary: request },
    { status: 'limited', model: 'm' },
  ],
  'subagent.start': [
    { parent: 'main', child: 'helper' },
    { parent: 'main', child: 'helper' },
  ],
  'subagent.stop': [
    { parent: 'main', child: 'helper', status: 'failed' },
    { parent: 'main', child: 'helper', status: 'failed' },
  ],
  'runtime.turn_pre_context': [{}, { coreType: 'cli' }],
  event: [{ type: 'text-delta' }, { type: 'text-delta' }],
}

test.each(Object.values<Point>(points))(
  '$name is matched by what it really has',
  (point) => {
    const [input, expected] = cases[point.name] ?? [{}, undefined]
    const read = [...point.fields].map(([name, field]) => [
      name,
      field(input as never, scope as never),
    ])
    const common = { agent: 'main', origin: 'user' }
    expect(Object.fromEntries(read)).toEqual({ ...expected, ...common })
  },
)

test('a failed model call has no stop reason to match by', () => {
  const field = points['llm.post_call'].fields.get('stopReason')
  expect(field?.({ type: 'error' } as never, scope as never)).toBeUndefined()
})
