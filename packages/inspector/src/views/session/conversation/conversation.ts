import type { EventOf } from '../../../data/protocol.ts'

type ToolEnd = EventOf<'tool-end'>
type TurnEnd = EventOf<'turn-end'>
type Answer = EventOf<'permission-end'>

/** A session as it is read from what its agent tells, turn by turn. */
export interface Conversation {
  readonly turns: readonly Turn[]
  /** What came before the first turn is not known: the log began later. */
  readonly isCut: boolean
}

export interface Turn {
  readonly id: string
  readonly number: number
  readonly startedAt: number
  readonly endedAt?: number
  readonly status: 'running' | TurnEnd['status']
  /** Why it was refused, withheld, limited, or failed. */
  readonly reason?: string | undefined
  readonly entries: readonly Entry[]
  readonly tokens: number
}

/** What is drawn, from top to bottom. */
export type Entry = SaidEntry | TextEntry | CallEntry | NoteEntry

interface Place {
  /** Unique in its turn. */
  readonly key: string
  /** Names of sub-agents, where it happened in one. */
  readonly within: readonly string[]
}

/** What a person said. */
export interface SaidEntry extends Place {
  readonly type: 'said'
  readonly text: string
  readonly isSteering: boolean
}

/** What the agent says, or thinks. */
export interface TextEntry extends Place {
  readonly type: 'text'
  readonly kind: 'text' | 'reasoning'
  readonly text: string
  readonly isOpen: boolean
  /** It was longer than a page holds. */
  readonly isCut?: boolean
}

/** A call of a tool, from its question to its result. */
export interface CallEntry extends Place {
  readonly type: 'call'
  /** Of whoever made it: a sub-agent has a session and turns of its own. */
  readonly sessionId: string
  readonly turnId: string
  readonly callId: string
  readonly tool: string
  readonly args: Readonly<Record<string, unknown>>
  readonly state: 'asked' | 'running' | ToolEnd['status']
  readonly progress: string
  readonly result?: ToolEnd['result']
  /** It was too large to be told; it can be read by itself. */
  readonly hasLargeResult?: boolean
  readonly elapsedMs?: number
  /** What hooks changed of it. */
  readonly edits: readonly NoteEntry[]
  readonly question?: {
    readonly id: string
    readonly decision?: Answer['decision']
    readonly by?: Answer['by']
  }
}

/** Something a hook or the runtime did that is worth a line. */
export interface NoteEntry extends Place {
  readonly type: 'note'
  readonly kind:
    | 'inject'
    | 'replace'
    | 'withhold'
    | 'notice'
    | 'answer'
    | 'compaction'
    | 'subagent'
    | 'gap'
  readonly title: string
  readonly hook?: string
  readonly point?: string
  readonly detail?: string | undefined
  readonly level?: 'info' | 'warning' | 'error'
}

export const emptyConversation: Conversation = { turns: [], isCut: false }
