import type { AgentEvent } from '../../../data/protocol.ts'
import type { CallEntry, Entry } from './conversation.ts'

const callEvents = [
  'tool-start',
  'tool-delta',
  'tool-end',
  'permission-start',
  'permission-end',
] as const

type CallEvent = Extract<
  AgentEvent,
  { readonly type: (typeof callEvents)[number] }
>

export function isCallEvent(event: AgentEvent): event is CallEvent {
  const known: readonly string[] = callEvents
  return known.includes(event.type)
}

/** The last lines of what a tool says while it runs. */
const maxProgress = 20_000

/** The entry of the call that an event is about, as it is then. */
export function foldCall(
  entries: readonly Entry[],
  event: CallEvent,
): readonly Entry[] {
  const within = event.path.slice(1)
  const at = entries.findLastIndex(
    (one) => one.type === 'call' && isAbout(one, event),
  )
  const found = entries[at]
  const known = found?.type === 'call' ? found : undefined
  const next = changed(known ?? newCall(event, within), event)
  if (next === undefined) return entries
  return known === undefined ? [...entries, next] : entries.with(at, next)
}

function isAbout(call: CallEntry, event: CallEvent): boolean {
  // Models name their calls: a sub-agent's may be called as its parent's is.
  if (call.turnId !== event.turnId) return false
  switch (event.type) {
    case 'tool-start':
      return call.callId === event.call.id && call.result === undefined
    case 'permission-start':
      return call.callId === event.question.call.id && call.result === undefined
    case 'permission-end':
      return call.question?.id === event.questionId
    case 'tool-delta':
    case 'tool-end':
      return call.callId === event.callId
    default:
      event satisfies never
      return false
  }
}

function newCall(
  event: CallEvent,
  within: readonly string[],
): CallEntry | undefined {
  const { sessionId, turnId } = event
  const make = (
    callId: string,
    tool: string,
    args: CallEntry['args'],
  ): CallEntry => ({
    type: 'call',
    key: `call-${event.seq}`,
    within,
    sessionId,
    turnId,
    callId,
    tool,
    args,
    state: 'running',
    progress: '',
    edits: [],
  })
  if (event.type === 'tool-start') {
    const { id, tool, args } = event.call
    return make(id, tool, args)
  }
  if (event.type === 'permission-start') {
    const { id, tool, args } = event.question.call
    return make(id, tool, args)
  }
  if (event.type === 'tool-end') return make(event.callId, event.tool, {})
  return undefined
}

function changed(
  call: CallEntry | undefined,
  event: CallEvent,
): CallEntry | undefined {
  if (call === undefined) return undefined
  switch (event.type) {
    case 'permission-start':
      return { ...call, state: 'asked', question: { id: event.question.id } }
    case 'permission-end': {
      const { questionId: id, decision, by } = event
      return { ...call, state: 'running', question: { id, decision, by } }
    }
    case 'tool-start':
      return { ...call, args: event.call.args, state: 'running' }
    case 'tool-delta': {
      const progress = (call.progress + event.progress).slice(-maxProgress)
      return { ...call, progress }
    }
    case 'tool-end': {
      const { status: state, result, elapsedMs } = event
      return { ...call, state, result, elapsedMs }
    }
    default:
      event satisfies never
      return undefined
  }
}
