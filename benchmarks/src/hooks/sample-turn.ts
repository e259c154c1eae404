import type { InputOf, Point } from 'hookline'
import {
  type Grant,
  llmPostCall,
  llmPreCall,
  type Message,
  type ModelRequest,
  type SealedCall,
  toolGuard,
  toolPostBatch,
  toolPostCall,
  toolPreCall,
  turnInput,
  turnOutput,
  turnPostTurn,
  turnPreTurn,
  turnStop,
} from 'hookline/lifecycle'

/** A point, and what it is asked about in the turn that is measured. */
export interface Moment {
  readonly point: Point
  readonly input: unknown
}

const text = (words: string) => [{ type: 'text', text: words }] as const
const question = text(
  'What does the configuration of the server say? '.repeat(4),
)
const answer = text('It listens on port 8080 and logs to a file. '.repeat(6))

const messages: readonly Message[] = Array.from({ length: 20 }, (_, at) =>
  at % 2 === 0
    ? { role: 'user', content: question }
    : { role: 'assistant', content: answer },
)

const request: ModelRequest = {
  model: 'bench/model',
  messages,
  tools: [
    {
      name: 'read_file',
      description: 'Reads a file.',
      inputSchema: { type: 'object', properties: { path: { type: 'string' } } },
    },
  ],
  settings: {},
}

const grant: Grant = {
  decision: 'allow',
  sandbox: 'none',
  roots: [],
  network: 'none',
  timeoutMs: 60_000,
  maxOutputBytes: 262_144,
}

const call: SealedCall = {
  id: 'call-1',
  tool: 'read_file',
  owner: 'os',
  safety: 'read_only',
  args: { path: 'packages/agent/src/config.ts', from: 1, to: 200 },
  grant,
  definitionHash: '0'.repeat(64),
  seal: '0'.repeat(64),
}

/** For those who read commands. */
const shellCall: SealedCall = {
  ...call,
  tool: 'shell',
  safety: 'mutating',
  args: { command: 'cd src && git log --oneline -20 -- server | head -5' },
}

const ended = {
  call,
  result: { content: answer, isError: false },
  status: 'executed',
  elapsedMs: 12,
} as const

const usage = { inputTokens: 1_200, outputTokens: 90 }

function moment<P extends Point>(point: P, input: InputOf<P>): Moment {
  return { point, input }
}

/** One turn with one call of a model and one of a tool, in its order. */
export const sampleTurn: readonly Moment[] = [
  moment(turnInput, { content: question }),
  moment(turnPreTurn, { content: question }),
  moment(llmPreCall, { request, attempt: 1 }),
  moment(llmPostCall, {
    ...{ type: 'response', request, attempt: 1, elapsedMs: 900 },
    response: { content: answer, stopReason: 'end_turn', usage },
  }),
  moment(toolPreCall, call),
  moment(toolGuard, call),
  moment(toolPostCall, ended),
  moment(toolPostBatch, { results: [ended] }),
  moment(turnStop, {
    ...{ stopReason: 'end_turn', reply: answer },
    ...{ continuesSoFar: 0, isVoluntary: true },
  }),
  moment(turnOutput, { content: question, reply: answer }),
  moment(turnPostTurn, {
    status: 'succeeded',
    summary: {
      ...{ turnId: 't', model: 'bench/model', userPreview: '', usage },
      ...{ replyPreview: '', tools: [], toolCount: 1, steps: 1 },
      ...{ startedAt: 0, elapsedMs: 1000 },
    },
  }),
]

/** The same, where its tool is a shell. */
export const shellTurn: readonly Moment[] = sampleTurn.map((one) =>
  one.input === call ? { ...one, input: shellCall } : one,
)
