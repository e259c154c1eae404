import {
  type AgentEvent,
  type EventOf,
  type StreamItem,
  whyEnded,
} from '../../../data/protocol.ts'
import type { ToldTurn } from './told-turn.ts'

/** A turn has more of nothing than this; what is beyond is not drawn. */
const maxSpans = 10_000
const maxTexts = 500
const maxText = 100_000

export interface TurnPlace {
  readonly sessionId: string
  readonly turnId: string
}

/** What a turn is known to be after one more item of its session's stream. */
export function foldTold(
  told: ToldTurn,
  item: StreamItem,
  { sessionId, turnId }: TurnPlace,
): ToldTurn {
  if (item.type === 'reset' || item.type === 'lagged') {
    return { ...told, isCut: true }
  }
  if (item.type !== 'event') return told
  const { event, at } = item
  if (event.sessionId !== sessionId) return noteChild(told, event, sessionId)
  if (event.turnId !== turnId) return told
  // Each takes the event of its own type, which this one is.
  const fold = folds[event.type] as Fold<AgentEvent> | undefined
  return fold?.(told, event, at) ?? told
}

type Fold<Event> = (
  told: ToldTurn,
  event: Event,
  at: number,
) => ToldTurn | undefined

const beginText: Fold<AgentEvent> = (told, _, at) => {
  const model = told.models.at(-1)
  if (model === undefined || model.end !== undefined) return undefined
  if (model.firstAt !== undefined) return undefined
  return { ...told, models: changeLast(told.models, { firstAt: at }) }
}

const folds: {
  readonly [Type in AgentEvent['type']]?: Fold<EventOf<Type>>
} = {
  prompt: (told, { manifest }) => ({ ...told, manifest }),
  'step-start': (told, { step, seq }, start) => {
    const models = add(told.models, {
      key: `model-${seq}`,
      model: '',
      start,
      step,
    })
    const steps = add(told.steps, { key: `step-${step}`, step, start })
    return { ...told, steps, models }
  },
  'step-end': (told, { step }, end) => ({
    ...told,
    steps: changeWhere(told.steps, (one) => one.step === step, { end }),
    models: changeWhere(
      told.models,
      (one) => one.step === step && one.end === undefined,
      { end },
    ),
  }),
  'text-start': beginText,
  'reasoning-start': beginText,
  'usage-delta': (told, { model, usage, seq }, end) => {
    const last = told.models.at(-1)
    if (last !== undefined && last.end === undefined) {
      return { ...told, models: changeLast(told.models, { end, model, usage }) }
    }
    // A model that was asked once more in the same step, or beside it.
    const start = last?.end ?? end
    const { step = 0 } = told.steps.at(-1) ?? {}
    const key = `model-${seq}`
    const one = { key, model, usage, start, end, step }
    return { ...told, models: add(told.models, one) }
  },
  'tool-start': (told, { call, seq }, start) => {
    const { step = 0 } = told.steps.at(-1) ?? {}
    const { id: callId, tool } = call
    const key = `call-${callId}-${seq}`
    return {
      ...told,
      calls: add(told.calls, { key, callId, tool, start, step }),
    }
  },
  'tool-end': (told, { callId, tool, status, elapsedMs, seq }, end) => {
    const isIt = (one: { callId: string }) => one.callId === callId
    if (told.calls.findLastIndex(isIt) >= 0) {
      const change = { end, status, elapsedMs }
      return { ...told, calls: changeWhere(told.calls, isIt, change) }
    }
    // It was refused before it began.
    const { step = 0 } = told.steps.at(-1) ?? {}
    const start = end - elapsedMs
    const key = `call-${callId}-${seq}`
    const one = { key, callId, tool, status, elapsedMs, start, end, step }
    return { ...told, calls: add(told.calls, one) }
  },
  'permission-start': (told, { question }, start) => {
    const key = `question-${question.id}`
    const one = { key, callId: question.call.id, start }
    return { ...told, questions: add(told.questions, one) }
  },
  'permission-end': (told, { questionId, decision, by }, end) => {
    const key = `question-${questionId}`
    const change = { end, decision: decision.type, by }
    return {
      ...told,
      questions: changeWhere(told.questions, (one) => one.key === key, change),
    }
  },
  'subagent-start': (told, { child, seq }, start) => {
    const one = { key: `child-${seq}`, child, start }
    return { ...told, children: add(told.children, one) }
  },
  'subagent-end': (told, { child, status }, end) => ({
    ...told,
    children: changeWhere(
      told.children,
      (one) => one.child === child && one.end === undefined,
      { end, status },
    ),
  }),
  'compaction-start': (told, { seq }, start) => ({
    ...told,
    compactions: add(told.compactions, { key: `compaction-${seq}`, start }),
  }),
  'compaction-end': (told, { removedCount, vetoedBy }, end) => ({
    ...told,
    compactions: changeLast(told.compactions, { end, removedCount, vetoedBy }),
  }),
  'hook-inject': (told, { hook, point, subject, id = '', text }) => {
    if (text === undefined || told.texts.length >= maxTexts) return undefined
    const one = { hook, point, subject, id, text: text.slice(0, maxText) }
    return { ...told, texts: [...told.texts, one] }
  },
  gap: (told) => ({ ...told, isCut: true }),
  'turn-end': (told, event, at) => ({
    ...told,
    end: { at, status: event.status, reason: whyEnded(event) },
  }),
}

/** What a sub-agent tells is its own, but for where that can be looked at. */
function noteChild(
  told: ToldTurn,
  event: AgentEvent,
  parent: string,
): ToldTurn {
  const { sessionId, turnId, within = [], path } = event
  if (within.at(-1) !== parent) return told
  const name = path.at(-1)
  const isOpen = (one: ToldTurn['children'][number]) =>
    one.child === name && one.sessionId === undefined && one.end === undefined
  const isKnown = told.children.some((one) => one.sessionId === sessionId)
  if (isKnown || !told.children.some(isOpen)) return told
  const children = changeWhere(told.children, isOpen, { sessionId, turnId })
  return { ...told, children }
}

function add<T>(all: readonly T[], one: T): readonly T[] {
  return all.length < maxSpans ? [...all, one] : all
}

function changeLast<T>(all: readonly T[], change: Partial<T>): readonly T[] {
  const last = all.at(-1)
  return last === undefined ? all : all.with(-1, { ...last, ...change })
}

/** Of those like that the last one, which is the one that is on its way. */
function changeWhere<T>(
  all: readonly T[],
  isIt: (one: T) => boolean,
  change: Partial<T>,
): readonly T[] {
  const at = all.findLastIndex(isIt)
  const found = all[at]
  return found === undefined ? all : all.with(at, { ...found, ...change })
}
