import type { OutputOf, Run } from '../../../data/protocol.ts'
import type { Outcome } from '../../outcomes.ts'
import type { ToldChild, ToldModelCall, ToldQuestion } from './told-turn.ts'

export type Trace = OutputOf<'traceTurn'>
export type TracedTurn = Trace['turn']
type TracedCall = Trace['calls'][number]

export const kinds = {
  turn: 'Turn',
  step: 'Step',
  point: 'Point',
  hook: 'Hook',
  model: 'Model call',
  tool: 'Tool',
  question: 'Approval',
  subagent: 'Sub-agent',
  compaction: 'Compaction',
} as const

export type Kind = keyof typeof kinds

export function isKind(given: string | undefined): given is Kind {
  return given !== undefined && Object.hasOwn(kinds, given)
}

/** Something that took time in a turn, and what happened in it. */
export interface Node {
  readonly key: string
  readonly kind: Kind
  readonly name: string
  readonly start: number
  /** Open: it still goes on. */
  readonly end: number | undefined
  readonly outcome: Outcome
  readonly children: readonly Node[]
  readonly about: About
}

/** What else is known of it, by its kind. */
export interface About {
  readonly run?: Run
  readonly call?: TracedCall | undefined
  readonly callId?: string
  readonly model?: ToldModelCall
  readonly question?: ToldQuestion
  readonly child?: ToldChild
  readonly words?: string | undefined
  /** What its record says, where what is in it may last longer. */
  readonly tookMs?: number | undefined
}

/** How long it took, or has taken by now. */
export function tookMs({ start, end, about }: Node, now: number): number {
  return about.tookMs ?? Math.max(0, (end ?? now) - start)
}

/** While it is put together. */
export interface Draft extends Omit<Node, 'children' | 'start' | 'end'> {
  start: number
  end: number | undefined
  children: Draft[]
}

export function draft(
  given: Omit<Draft, 'children' | 'about'> & { readonly about?: About },
): Draft {
  return { about: {}, ...given, children: [] }
}

/** Clocks of two machines may differ: whatever is in it, it was around. */
export function embrace(node: Draft): void {
  for (const child of node.children) {
    embrace(child)
    if (child.start < node.start) node.start = child.start
    const isLater = node.end !== undefined && (child.end ?? 0) > node.end
    if (isLater) node.end = child.end
  }
  node.children.sort((one, other) => one.start - other.start)
}
