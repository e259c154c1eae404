import { media } from './content-schemas.ts'
import {
  anyOf,
  anything,
  count,
  is,
  list,
  object,
  oneOf,
  record,
  text,
} from './typed-schema.ts'

export const sandbox = oneOf('none', 'workspace', 'read_only')

export const network = anyOf(
  oneOf('none', 'all'),
  object({ hosts: list(text) }),
)

const grant = object(
  {
    decision: oneOf('allow', 'deny', 'ask'),
    sandbox,
    roots: list(text),
    network,
    timeoutMs: count,
    maxOutputBytes: count,
  },
  { reason: text, askedBy: is('mode') },
)

const call = {
  id: text,
  tool: text,
  owner: text,
  args: record,
  safety: oneOf('read_only', 'mutating', 'destructive', 'network'),
}
const changed = { originalArgs: record }
const sealed = { ...call, grant, definitionHash: text, seal: text }

export const grantedCall = object({ ...call, grant }, changed)
export const sealedCall = object(sealed, changed)

const errorKind = oneOf(
  'tool',
  'denied',
  'withheld',
  'dispatch',
  'timeout',
  'cancelled',
  'unknown_outcome',
)

export const toolResult = anyOf(
  object({ content: media, isError: is(false) }, { data: anything }),
  object({ content: media, isError: is(true), error: errorKind }),
)

const status = oneOf(
  'executed',
  'synthesized',
  'denied',
  'cancelled',
  'unknown_outcome',
)

const ended = {
  call: object(call, changed),
  result: toolResult,
  status,
  elapsedMs: count,
}

export const endedCall = object(ended)
export const toolPostCallInput = object(ended, { seal: text })

export const toolSummary = object(
  { callId: text, tool: text, status, elapsedMs: count },
  { error: errorKind },
)

export const permissionDecision = anyOf(
  object({ type: is('allow') }),
  object({ type: is('deny'), reason: text }),
  object({ type: is('edit'), args: record }),
)

const question = {
  id: text,
  call: sealedCall,
  questions: list(object({ by: text, question: text })),
}

export const permissionQuestion = object(question)
export const permissionResolved = object({
  ...question,
  decision: permissionDecision,
  by: anyOf(
    object({ kind: oneOf('person', 'hook'), name: text }),
    object({
      kind: is('nobody'),
      because: oneOf('unasked', 'unanswered', 'withdrawn'),
    }),
  ),
})
