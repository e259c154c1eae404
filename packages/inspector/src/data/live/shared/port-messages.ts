import type { ErrorCode } from '@hookline/daemon/client'
import type { StreamItem } from '../../protocol.ts'

/** What a page asks of whoever reads for all of them; its answers come on a port. */
export interface Attach {
  readonly token: string
  /** Absent: everything. */
  readonly sessionId?: string | undefined
}

export type FromHub =
  /** From here on nothing is missed. */
  | { readonly type: 'open' }
  | { readonly type: 'item'; readonly item: StreamItem }
  | { readonly type: 'beat' }
  /** The last word. */
  | {
      readonly type: 'end'
      readonly code: ErrorCode
      readonly message: string
    }

export type ToHub =
  /** One more of those that were sent. */
  'read' | 'leave'

/** How often a page hears that the stream is still read. */
export const beatMs = 5_000
