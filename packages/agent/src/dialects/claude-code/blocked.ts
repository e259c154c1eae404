import type { ForeignHook } from '../dialect.ts'
import type { Verdict } from '../verdict.ts'
import { type EventFacts, events } from './events.ts'

const noReason = 'A hook has blocked it and gives no reason.'

export function eventOf({ event }: ForeignHook): EventFacts {
  const known = events[event]
  // Hooks are read with the events of the table.
  if (known === undefined) throw new Error(`There is no event "${event}".`)
  return known
}

/** What a block comes to at an event: that of exit code 2, and of `block`. */
export function blocked(why: string | undefined, hook: ForeignHook): Verdict {
  const reason = why === undefined || why.trim() === '' ? noReason : why
  switch (eventOf(hook).block) {
    case 'deny':
      return { decision: 'deny', reason }
    case 'feedback':
      return { context: [reason] }
    case 'keep-going':
      return { keepGoing: reason }
    case 'user':
      return { notices: [reason] }
    case 'ignored': {
      const message = `A block has no effect at ${hook.event}.`
      return { lapses: [{ code: 'not-honoured', message }] }
    }
  }
}
