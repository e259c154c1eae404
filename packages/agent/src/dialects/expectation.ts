import type { JsonObject, JsonValue } from 'hookline/lifecycle'

/** What a script does, once it has its input. */
export interface Said {
  /** Default: 0. */
  readonly exit?: number
  readonly stdout?: string
  readonly stderr?: string
  /** It never ends by itself. */
  readonly hangs?: true
}

/** What our point comes to. A text need only be in what is found. */
export interface Expected {
  readonly type:
    | 'proceed'
    | 'reject'
    | 'ask'
    | 'endTurn'
    | 'keepGoing'
    | 'respond'
  /** Of a reject, a question, an end of the turn, a feedback. */
  readonly says?: string
  /** What has become of what a hook may change; absent: nothing. */
  readonly value?: JsonValue
  /** What `respond` gives, or a part of it. */
  readonly output?: JsonObject
  readonly context?: string
  readonly notice?: string
  /** A code of the record of the run. */
  readonly diagnostic?: string
  /** The turn that comes next, or goes on, ends with this. */
  readonly ends?: string
  /** A later question about this call is answered with yes. */
  readonly approves?: true
}

/** One outcome: what is special about it, what is said, what comes of it. */
export type Expectation = readonly [
  when: string,
  said: Said,
  expected: Expected,
  more?: ExpectedMore,
]

interface ExpectedMore {
  /** With `strict: true`, where that differs. */
  readonly strict?: Expected
  /** Further fields of its entry in the hook file. */
  readonly entry?: JsonObject
  /** Which point of the event; default: the first. */
  readonly point?: string
  /** Another moment of that point than the usual one. */
  readonly moment?: string
}

/** By the event as the product spells it. Written from the notes alone. */
export type Expectations = Readonly<Record<string, readonly Expectation[]>>

export function prints(document: JsonObject | string): Said {
  const isText = typeof document === 'string'
  return { stdout: isText ? document : JSON.stringify(document) }
}

export function exits(exit: number, stderr?: string): Said {
  return stderr === undefined ? { exit } : { exit, stderr }
}

export const hangs: Said = { hangs: true }

type More = Omit<Expected, 'type'>

export function proceeds(more: More = {}): Expected {
  return { type: 'proceed', ...more }
}

export function rejects(says = '', more: More = {}): Expected {
  return { type: 'reject', says, ...more }
}

export function asks(says = '', more: More = {}): Expected {
  return { type: 'ask', says, ...more }
}

export function endsTurn(says = '', more: More = {}): Expected {
  return { type: 'endTurn', says, ...more }
}

export function keepsGoing(says = '', more: More = {}): Expected {
  return { type: 'keepGoing', says, ...more }
}

export function responds(output: JsonObject, more: More = {}): Expected {
  return { type: 'respond', output, ...more }
}

/** The hook gave no answer, and the product goes on as if it had agreed. */
export const failsOpen: Expected = proceeds({ diagnostic: 'failed-open' })

/**
 * What the hooks of each event read, by the event. `*` stands for anything that
 * is not known beforehand.
 */
export type ExpectedStdin = Readonly<Record<string, JsonObject>>
