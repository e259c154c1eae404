import {
  type AgentEvent,
  type AnsweredBy,
  type Answerer,
  event as eventPoint,
  type PermissionResolvedInput,
  permissionResolved,
} from 'hookline/lifecycle'
import type { CallSealed, JournalEntry } from '../ports/store.ts'
import { actorNamed } from './approvals/approval.ts'

/** As it was written before people and hooks were told apart: a bare name. */
type Stored<Told> = Told | string

const nobody: ReadonlyMap<string, AnsweredBy> = new Map([
  ['nobody', { kind: 'nobody', because: 'unasked' }],
  ['expiry', { kind: 'nobody', because: 'unanswered' }],
  ['approvals', { kind: 'nobody', because: 'unanswered' }],
  ['withdrawal', { kind: 'nobody', because: 'withdrawn' }],
])

/** An event that was kept, also one of an older version. */
export function readKeptEvent(event: AgentEvent): AgentEvent {
  if (event.type !== 'permission-end') return event
  return { ...event, by: readAnsweredBy(event.by) }
}

/** What a hook was given, or is to be, also as an older version has kept it. */
export function readKeptInput(point: string, input: unknown): unknown {
  if (point === eventPoint.name) return readKeptEvent(input as AgentEvent) // what is asked there
  if (point !== permissionResolved.name) return input
  const resolved = input as PermissionResolvedInput // what is asked there
  return { ...resolved, by: readAnsweredBy(resolved.by) }
}

/** Who answered, as it was kept, also by an older version. */
function readAnsweredBy<By extends object>(by: Stored<By>): By | AnsweredBy {
  return typeof by === 'string' ? (nobody.get(by) ?? answererNamed(by)) : by
}

/** An entry that was kept, also one of an older version. */
export function readKeptEntry(entry: JournalEntry): JournalEntry {
  return entry.type === 'call-seal' ? readKeptSeal(entry) : entry
}

export function readKeptSeal(entry: CallSealed): CallSealed {
  const by: Stored<Answerer> | undefined = entry.approvedBy
  if (typeof by !== 'string') return entry
  // Only what a person said is kept as an approval.
  const isPerson = entry.approvalId !== undefined
  const approvedBy = isPerson ? personNamed(by) : answererNamed(by)
  return { ...entry, approvedBy }
}

function personNamed(name: string): Answerer {
  return { kind: 'person', name }
}

/** People were always written as `user:ann`, hooks by their bare names. */
export function answererNamed(name: string): Answerer {
  return actorNamed(name) ? personNamed(name) : { kind: 'hook', name }
}
