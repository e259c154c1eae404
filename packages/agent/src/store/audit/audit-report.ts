/** What a chain is worth. */
export interface AuditReport {
  readonly isIntact: boolean
  /** The first record that is still there; older ones were removed on record. */
  readonly from: number
  /** Up to here nothing was changed, as far as anybody can tell. */
  readonly upTo: number
  /** Up to here nothing can have been cut off or rewritten either. */
  readonly anchoredUpTo: number
  /** Records that a crash broke, each sealed off by the one behind it. */
  readonly recovered: readonly number[]
  readonly problem: AuditProblem | undefined
}

/** The first thing that is wrong with a chain. */
export interface AuditProblem {
  /** The record that it is about. */
  readonly seq: number
  readonly what: AuditTamper
  /** For people. */
  readonly message: string
}

export type AuditTamper =
  /** A record was changed. */
  | 'edited'
  /** Records are not there. */
  | 'missing'
  /** Records stand in each other's places. */
  | 'swapped'
  /** A record was put between two others. */
  | 'inserted'
  /** A record was not signed with the key. */
  | 'unsigned'
  /** The newest records are not there, and the anchor knows of them. */
  | 'truncated'
  /** The records are not those that were anchored. */
  | 'rewritten'
