import type { OutputOf } from '../../data/protocol.ts'

/** Something that is written and does not count. */
export interface ConfigNote {
  readonly text: string
  /** Where it is, why, or what to do about it. */
  readonly details: readonly string[]
}

/** What no list of hooks can show: files and hooks that are not in force. */
export function configNotes({
  refusal,
  broken,
  untrusted,
  needsRestart,
}: OutputOf<'getConfig'>): readonly ConfigNote[] {
  const notes: ConfigNote[] = broken.map((problem) => {
    const { file, line, column, message } = problem
    const place = [file, line, column].filter((part) => part !== undefined)
    const details = file === undefined ? [message] : [message, place.join(':')]
    return { text: 'Nothing of this file is used', details }
  })
  if (refusal !== undefined) {
    notes.unshift({
      text: 'What was loaded earlier stays in force',
      details: [refusal],
    })
  }
  if (untrusted > 0) {
    const hooks =
      untrusted === 1
        ? '1 hook of the project does nothing until you trust it'
        : `${untrusted} hooks of the project do nothing until you trust them`
    notes.push({ text: hooks, details: ['hookline hooks trust'] })
  }
  if (needsRestart.length > 0) {
    notes.push({
      text: 'Changed, and in force when the daemon is started again',
      details: [needsRestart.join(', ')],
    })
  }
  return notes
}
