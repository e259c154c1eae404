import type { JsonValue } from 'hookline/lifecycle'
import type { Place } from './node.ts'
import type { Found } from './problem.ts'

/** What a process is to run, and how much of it. */
export interface CodeOrder {
  readonly file: string
  readonly maxMs: number
  readonly maxMemoryMb: number
  /** Where it answers, as a line of JSON. */
  readonly descriptor: number
}

/** What became of it. */
export type CodeAnswer =
  | { readonly type: 'data'; readonly data: JsonValue }
  | { readonly type: 'not-data'; readonly problems: readonly Found[] }
  | ({ readonly type: 'failed'; readonly message: string } & Place)
