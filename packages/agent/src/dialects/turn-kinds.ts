import { keepGoing, proceed, reject } from 'hookline'
import {
  compactionPost,
  compactionPre,
  sessionEnd,
  sessionStart,
  subagentStart,
  subagentStop,
  turnError,
  turnPreTurn,
  turnStop,
} from 'hookline/lifecycle'
import { textOf } from './alias-call.ts'
import { type At, kindAt, type MomentAt } from './kind.ts'
import type { Merged } from './merge-verdicts.ts'
import { stopLater } from './stop-later.ts'
import { words } from './words.ts'

const speaks = ['context', 'notice']

/** Sub-agents have events of their own. */
const isTop = ({ scope }: At) => scope.parents === undefined

export const sessionBegin = kindAt(sessionStart, {
  capabilities: speaks,
  onFailure: 'open',
  facts({ source }, at) {
    if (!isTop(at)) return undefined
    const begun =
      source === 'resume' ? ('resume' as const) : ('startup' as const)
    return { kind: 'session-start', source: begun }
  },
  answer: goOn,
})

/** A conversation that was made shorter begins anew, in a way. */
export const sessionAfterCompaction = kindAt(compactionPost, {
  capabilities: speaks,
  facts: (_, at) =>
    isTop(at) ? { kind: 'session-start', source: 'compact' } : undefined,
  answer: goOn,
})

export const sessionOver = kindAt(sessionEnd, {
  capabilities: ['notice'],
  facts: ({ reason }, at) =>
    isTop(at) ? { kind: 'session-end', reason } : undefined,
  answer: () => proceed,
})

export const prompt = kindAt(turnPreTurn, {
  capabilities: speaks,
  facts: ({ content }, at) =>
    isTop(at) ? { kind: 'prompt', prompt: textOf(content) } : undefined,
  answer(said) {
    if (said.stop !== undefined) return reject(words.stop(said.stop))
    return isRefused(said) ? reject(words.denial(said)) : proceed
  },
})

/** Nobody is asked at these points, so that a question refuses. */
function isRefused({ decision }: Merged): boolean {
  return decision !== undefined && decision !== 'allow'
}

export const stop = kindAt(turnStop, {
  capabilities: ['notice'],
  facts({ reply, continuesSoFar, isVoluntary }, at) {
    if (!isTop(at) || !isVoluntary) return undefined
    return { kind: 'stop', reply: textOf(reply), continuesSoFar }
  },
  answer: keepGoingOf,
})

export const subagentBegin = kindAt(subagentStart, {
  capabilities: speaks,
  onFailure: 'open',
  facts(input, { world }) {
    const { child, task } = input
    const agentId = world.memory.children.begunBy(input)?.agentId ?? child
    return { kind: 'subagent-start', agentId, agentType: child, task }
  },
  answer(said, _, at) {
    stopLater(said, at)
    return isRefused(said) ? reject(words.denial(said)) : proceed
  },
})

export const subagentOver = kindAt(subagentStop, {
  capabilities: ['notice'],
  facts(input, { world, scope }) {
    const { child, reply, continuesSoFar } = input
    const known = world.memory.children.handingOver(input, scope)
    // No session has an id of two lines, so that it is nobody else's.
    const session = known?.session ?? `${child}\n`
    return {
      kind: 'subagent-stop',
      agentId: known?.agentId ?? child,
      agentType: child,
      agentTranscriptPath: world.transcripts.pathOf(session),
      reply: textOf(reply),
      continuesSoFar,
    }
  },
  answer: keepGoingOf,
})

function goOn(said: Merged, _: unknown, at: MomentAt) {
  stopLater(said, at)
  return proceed
}

function keepGoingOf(said: Merged) {
  if (said.stop !== undefined || said.keepGoing === undefined) return proceed
  return keepGoing(words.feedback(said.keepGoing))
}

export const turnFailure = kindAt(turnError, {
  capabilities: ['notice'],
  facts: ({ error }, at) =>
    isTop(at)
      ? { kind: 'turn-error', code: error.code, message: error.message }
      : undefined,
  answer: () => proceed,
})

/** A turn that a limit of the model's has cut off. */
export const turnCutOff = kindAt(turnStop, {
  capabilities: ['notice'],
  facts({ isVoluntary, stopReason }, at) {
    if (!isTop(at) || isVoluntary || stopReason !== 'max_tokens')
      return undefined
    const message = 'The reply was cut off at its maximum length.'
    return { kind: 'turn-error', code: 'max_output_tokens', message }
  },
  answer: () => proceed,
})

export const compactBefore = kindAt(compactionPre, {
  capabilities: ['notice'],
  facts: ({ trigger, hint }) => ({
    kind: 'compact-pre',
    trigger,
    instructions: hint.instructions ?? '',
  }),
  answer: (said) => (isRefused(said) ? reject(words.denial(said)) : proceed),
})

export const compactAfter = kindAt(compactionPost, {
  capabilities: speaks,
  facts: ({ trigger, summary }) => ({ kind: 'compact-post', trigger, summary }),
  answer: goOn,
})
