/** A place in a file; both count from 1. */
export interface Place {
  readonly line: number
  readonly column: number
}

/** Something in a hook file that does not do what its author thinks. */
export interface Finding {
  /** `error`: it never does anything, or the wrong thing. `note`: good to know. */
  readonly severity: 'error' | 'warning' | 'note'
  readonly code: string
  readonly file: string
  readonly place: Place
  /** A whole sentence. */
  readonly message: string
  /** What to write instead. */
  readonly suggestion?: string
}

const ofWholeFile: ReadonlySet<string> = new Set([
  'unreadable-file',
  'not-json',
  'not-toml',
  'not-an-object',
  'too-large',
])

/** Whether nothing of its file is used. */
export function losesFile({ code }: Pick<Finding, 'code'>): boolean {
  return ofWholeFile.has(code)
}
