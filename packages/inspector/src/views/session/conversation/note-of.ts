import type { AgentEvent, EventOf } from '../../../data/protocol.ts'
import type { NoteEntry } from './conversation.ts'

type Words = Omit<NoteEntry, 'type' | 'key' | 'within'>

/** What plugins put into every prompt says nothing new. */
const routine: ReadonlySet<string> = new Set(['policy', 'tools', 'section'])

/** What is worth a line, by the event that tells of it. */
const wordsOf: {
  readonly [Type in AgentEvent['type']]?: (
    event: EventOf<Type>,
  ) => Words | undefined
} = {
  'hook-inject': ({ hook, point, subject, text }) => {
    if (routine.has(subject)) return undefined
    const title = `added to the ${subject}`
    return { kind: 'inject', title, hook, point, detail: text }
  },
  'hook-replace': ({ hook, point, subject, text }) => {
    const title = `changed the ${subject}`
    return { kind: 'replace', title, hook, point, detail: text }
  },
  'hook-withhold': ({ hook, point, subject, reason }) => {
    const title = `kept back the ${subject}`
    return { kind: 'withhold', title, hook, point, detail: reason }
  },
  'hook-delta': ({ hook, point, notice }) => {
    const { message: title, level = 'info' } = notice
    return { kind: 'notice', title, hook, point, level }
  },
  'hook-end': ({ hook, point, answer }) => {
    if (answer === 'proceed' || answer === undefined) return undefined
    return { kind: 'answer', title: `said ${answer}`, hook, point }
  },
  'compaction-end': ({ removedCount, vetoedBy: hook }) => {
    if (hook === undefined) {
      const title = `${removedCount} messages were compacted`
      return { kind: 'compaction', title }
    }
    const title = 'kept the messages from being compacted'
    return { kind: 'compaction', title, hook }
  },
  'subagent-start': ({ child, task: detail }) => {
    return { kind: 'subagent', title: `${child} was asked`, detail }
  },
  'subagent-end': ({ child, status }) => {
    return { kind: 'subagent', title: `${child} ended: ${status}` }
  },
  gap: ({ missed }) => {
    return { kind: 'gap', title: `${missed} events were left out` }
  },
}

/** The line that an event is worth; undefined: none. */
export function noteOf(event: AgentEvent): NoteEntry | undefined {
  // Each takes the event of its own type, which this one is.
  const make = wordsOf[event.type] as
    | ((event: AgentEvent) => Words | undefined)
    | undefined
  const words = make?.(event)
  if (words === undefined) return undefined
  const { seq, path } = event
  return { type: 'note', key: `note-${seq}`, within: path.slice(1), ...words }
}
