import type { Redactor } from './redact.ts'

/**
 * How much of what something was about is kept beside its payload: nothing;
 * its shape and size; all of it without secrets. `full` adds nothing there:
 * what is exact stands in the payload, and nowhere else.
 */
export type ContentLevel = 'none' | 'metadata' | 'redacted' | 'full'

/** The level for each kind of row that has content. */
export interface ContentLevels {
  /** What hooks were given. Default: metadata. */
  readonly runs?: ContentLevel
  /** What the journal of a session says of its entries. Default: metadata. */
  readonly journal?: ContentLevel
}

/** What may be kept of a value outside of a payload; undefined if nothing. */
export function contentAt(
  level: ContentLevel,
  value: unknown,
  redactor: Redactor,
): unknown {
  switch (level) {
    case 'none':
      return undefined
    case 'metadata':
      return redactor.data(shapeOf(value))
    case 'redacted':
    case 'full':
      return redactor.data(value)
  }
}

const maxKeys = 40

function shapeOf(value: unknown): unknown {
  if (typeof value === 'string') return { type: 'text', chars: value.length }
  if (Array.isArray(value)) return { type: 'list', length: value.length }
  if (typeof value !== 'object' || value === null) return { type: typeof value }
  return { type: 'object', keys: Object.keys(value).slice(0, maxKeys) }
}
