import type { JsonObject } from 'hookline/lifecycle'
import type { StreamItem } from './schemas/events.ts'

/** What kinds of values notices have; `?` is for what may be absent. */
interface Kinds {
  readonly string: string
  readonly 'string?': string
  readonly number: number
  readonly 'number?': number
  readonly boolean: boolean
  readonly objects: readonly JsonObject[]
}

/** An event that the log could not keep, and the call that it was about. */
const leftOut = {
  type: 'string',
  turnId: 'string',
  seq: 'number',
  callId: 'string?',
  tool: 'string?',
  status: 'string?',
} as const

/**
 * All that a daemon tells beside events, and what is in it. One that is about a
 * session has its `sessionId` as well.
 */
const notices = {
  alarm: { code: 'string', about: 'string' },
  'approval-answered': {
    approvalId: 'string',
    callId: 'string',
    state: 'string',
    votes: 'number',
    by: 'string',
  },
  'approval-asked': {
    approvalId: 'string',
    turnId: 'string',
    callId: 'string',
    tool: 'string',
    agent: 'string',
  },
  'approval-rule-revoked': { ruleId: 'string', by: 'string' },
  'config-reloaded': { isTaken: 'boolean', problems: 'number' },
  'event-too-large': { ...leftOut, chars: 'number' },
  'event-unfit': leftOut,
  'event-unreadable': { code: 'string' },
  'events-available': { lost: 'number' },
  'events-lost': { lost: 'number' },
  'events-unavailable': {},
  'input-dropped': { inputId: 'string', reason: 'string' },
  'no-token': {},
  'questions-answered': { callId: 'string', by: 'string' },
  'questions-asked': {
    callId: 'string',
    agent: 'string',
    questions: 'objects',
  },
  'rights-changed': {},
  'session-closed': {},
  'session-deleted': { sessionId: 'string' },
  'session-opened': { agent: 'string', worker: 'string' },
  'session-titled': {},
  'shutting-down': {},
  'task-begun': { taskId: 'string', agent: 'string' },
  'task-ended': { taskId: 'string', agent: 'string', status: 'string' },
  'turn-suspended': { turnId: 'string' },
  'wake-fired': { event: 'string', wakeId: 'string' },
  'wake-refused': {
    event: 'string',
    reason: 'string',
    depth: 'number?',
    wakeId: 'string?',
  },
} as const satisfies Readonly<
  Record<string, Readonly<Record<string, keyof Kinds>>>
>

type Notices = typeof notices
type Fields = Notices[NoticeName]
type MayLack<Kind> = Kind extends `${string}?` ? true : false
type ValuesOf<Of extends Fields, Lacks extends boolean> = {
  readonly [Key in keyof Of as MayLack<Of[Key]> extends Lacks
    ? Key
    : never]: Of[Key] extends keyof Kinds ? Kinds[Of[Key]] : never
}

export type NoticeName = keyof Notices

/** What is in a notice of that name, for those who tell it. */
export type NoticeData<Name extends NoticeName> = ValuesOf<
  Notices[Name],
  false
> &
  Partial<ValuesOf<Notices[Name], true>>

/** The same for those who read it: other daemons may tell less, or otherwise. */
export type ToldNotice<Name extends NoticeName> = Partial<NoticeData<Name>> & {
  readonly sessionId?: string
}

/**
 * What a notice of that name tells, as far as it is what it should be;
 * undefined: this is something else.
 */
export function readNotice<Name extends NoticeName>(
  item: StreamItem,
  name: Name,
): ToldNotice<Name> | undefined {
  if (item.type !== 'notice' || item.name !== name) return undefined
  const data: Partial<Record<string, unknown>> = Object(item.data)
  const fields = Object.entries({ sessionId: 'string', ...notices[name] })
  const told = fields.flatMap(([key, kind]) =>
    isOfKind(data[key], kind) ? [[key, data[key]]] : [],
  )
  // Each of them was looked at.
  return Object.fromEntries(told) as ToldNotice<Name>
}

function isOfKind(value: unknown, kind: string): boolean {
  if (kind !== 'objects') return typeof value === kind.replace('?', '')
  const isObject = (one: unknown) => typeof one === 'object' && one !== null
  return Array.isArray(value) && value.every(isObject)
}
