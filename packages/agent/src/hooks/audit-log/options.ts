import {
  described,
  flag,
  number,
  object,
  text,
  word,
} from '../../define-hooks.ts'

/** How much of something is kept. */
export type AuditContent = 'none' | 'hashes' | 'redacted' | 'full'

export interface AuditLogOptions {
  /** The file that lines are added to; default: none. */
  readonly file?: string
  /** Whether entries go to the audit log of the store; default true. */
  readonly store?: boolean
  /** How much of the arguments of tools; default: redacted. */
  readonly args?: AuditContent
  /** How much of the results of tools; default: redacted. */
  readonly results?: AuditContent
  /** How much of what is said by people and models; default: none. */
  readonly texts?: AuditContent
  /** How large a file gets; default: 10 MB. */
  readonly maxBytes?: number
  /** How many files there are, the newest among them; default: 5. */
  readonly maxFiles?: number
  /** Whether each write is on the disk before it counts; default false. */
  readonly syncs?: boolean
  /** What if the file cannot be written: it is only said (`open`, the default), or turns and calls are refused. */
  readonly onFailure?: 'open' | 'closed'
}

const content = word(['none', 'hashes', 'redacted', 'full'])

export const auditLogOptions = object<AuditLogOptions>(
  {
    file: described(
      text({ maxLength: 4096 }),
      'The file that JSON lines are added to; default: none.',
    ),
    store: described(
      flag,
      'Whether entries go to the audit log of the store, where there is one; default: true.',
    ),
    args: described(
      content,
      'How much of the arguments of tools is kept; default: redacted.',
    ),
    results: described(
      content,
      'How much of the results of tools is kept; default: redacted.',
    ),
    texts: described(
      content,
      'How much of what people and models say is kept; default: none.',
    ),
    maxBytes: described(
      number({ isWhole: true, min: 4096, max: 2 ** 40 }),
      'How large the file gets before another one is begun; default: 10 000 000.',
    ),
    maxFiles: described(
      number({ isWhole: true, min: 1, max: 1000 }),
      'How many files are kept, the newest among them; default: 5.',
    ),
    syncs: described(
      flag,
      'Whether each write has to be on the disk before it counts; default: false.',
    ),
    onFailure: described(
      word(['open', 'closed']),
      'Whether it is only said that the file cannot be written (open), or turns and calls are refused meanwhile (closed); default: open.',
    ),
  },
  [],
)
