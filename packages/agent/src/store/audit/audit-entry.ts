import { canonicalJson } from '../../seal/canonical-json.ts'
import type { Statement } from '../database.ts'
import type { StoreParts } from '../parts.ts'
import type { AuditContent, AuditKeys } from './audit-record.ts'

/** Something that is to be remembered for good. */
export interface AuditEntry {
  /** What happened, as `approval.decided`. */
  readonly kind: string
  /** Who did it. */
  readonly actor?: string
  readonly sessionId?: string
  /** Plain data; secrets are taken out of it. */
  readonly body?: Readonly<Record<string, unknown>>
  /**
   * Values that only their keyed hashes may stand for, so that two of them
   * can be compared and none can be found by trying. Without a key they are
   * left out.
   */
  readonly sensitive?: Readonly<Record<string, unknown>>
}

/** An entry that only lacks its place in the chain. */
export interface PendingEntry extends Omit<AuditContent, 'seq'> {
  /** What is done together with it. */
  readonly also: readonly Statement[]
}

const maxBodyChars = 65_536
const shownChars = 1_024

/** Takes out of an entry what must not be kept, before it is kept anywhere. */
export function toPending(
  entry: AuditEntry,
  { redactor, clock }: StoreParts,
  keys: AuditKeys | undefined,
): PendingEntry {
  const { kind, actor, sessionId, body = {}, sensitive } = entry
  const whole = canonicalJson({
    ...(redactor.data(body) as object), // an object stays one
    ...(sensitive && { sensitive: conceal(sensitive, keys) }),
  })
  return {
    at: Math.floor(clock.wallAt(clock.now())),
    kind: redactor.text(kind),
    actor: actor === undefined ? null : redactor.text(actor),
    sessionId: sessionId ?? null,
    body: whole.length <= maxBodyChars ? whole : cut(whole),
    also: [],
  }
}

function conceal(
  values: Readonly<Record<string, unknown>>,
  keys: AuditKeys | undefined,
): Readonly<Record<string, string>> {
  const hidden = Object.entries(values).map(
    ([name, value]) => [name, keys?.conceal(value) ?? 'withheld'] as const,
  )
  return Object.fromEntries(hidden)
}

function cut(text: string): string {
  const start = text.slice(0, shownChars).toWellFormed()
  return canonicalJson({ cut: text.length, start })
}
