import type { EventOf } from '../../../data/protocol.ts'

/** A time between two; open: it still goes on. */
interface Span {
  readonly key: string
  readonly start: number
  readonly end?: number
}

interface ToldStep extends Span {
  readonly step: number
}

/** One answer of a model, and what it used. */
export interface ToldModelCall extends Span {
  readonly model: string
  /** When the first of its words went out. */
  readonly firstAt?: number
  readonly usage?: EventOf<'usage-delta'>['usage']
  readonly step: number
}

interface ToldCall extends Span {
  readonly callId: string
  readonly tool: string
  readonly step: number
  readonly status?: EventOf<'tool-end'>['status']
  readonly elapsedMs?: number
}

/** A person is asked. */
export interface ToldQuestion extends Span {
  readonly callId: string
  readonly decision?: string
  readonly by?: EventOf<'permission-end'>['by']
}

export interface ToldChild extends Span {
  readonly child: string
  readonly status?: string
  /** Its own session and turn, once something of them was told. */
  readonly sessionId?: string
  readonly turnId?: string
}

interface ToldCompaction extends Span {
  readonly removedCount?: number
  readonly vetoedBy?: string | undefined
}

/** What a hook put into the prompt, where its words are kept. */
interface ToldText {
  readonly hook: string
  readonly point: string
  readonly subject: string
  readonly id: string
  readonly text: string
}

/** A turn as its events tell it, beside what is recorded of its hooks. */
export interface ToldTurn {
  readonly steps: readonly ToldStep[]
  readonly models: readonly ToldModelCall[]
  readonly calls: readonly ToldCall[]
  readonly questions: readonly ToldQuestion[]
  readonly children: readonly ToldChild[]
  readonly compactions: readonly ToldCompaction[]
  readonly manifest?: EventOf<'prompt'>['manifest']
  readonly texts: readonly ToldText[]
  readonly end?: {
    readonly at: number
    readonly status: string
    readonly reason?: string | undefined
  }
  /** Some events were left out, or are no longer there. */
  readonly isCut: boolean
}

export const nothingTold: ToldTurn = {
  steps: [],
  models: [],
  calls: [],
  questions: [],
  children: [],
  compactions: [],
  texts: [],
  isCut: false,
}

/** Events are written down a moment late; none of a turn came after its end. */
export function withinTurn(told: ToldTurn, endedAt: number): ToldTurn {
  const cut = <One extends Span>(all: readonly One[]): readonly One[] =>
    all.map((one) => ({
      ...one,
      start: Math.min(one.start, endedAt),
      ...(one.end !== undefined && { end: Math.min(one.end, endedAt) }),
    }))
  return {
    ...told,
    steps: cut(told.steps),
    models: cut(told.models),
    calls: cut(told.calls),
    questions: cut(told.questions),
    children: cut(told.children),
    compactions: cut(told.compactions),
  }
}
