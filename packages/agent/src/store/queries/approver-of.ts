import type { Answerer } from 'hookline/lifecycle'
import type { Row } from '../database.ts'
import { answererNamed } from '../read-answered-by.ts'
import { text } from './stored-run.ts'

/** Who has agreed to a call, also to one of an older version. */
export function approverOf(row: Row): Answerer | undefined {
  const name = text(row['approved_by'])
  if (name === undefined) return undefined
  // The journal's writer has put one of these there.
  const kind = text(row['approver']) as Answerer['kind'] | undefined
  return kind === undefined ? answererNamed(name) : { kind, name }
}
