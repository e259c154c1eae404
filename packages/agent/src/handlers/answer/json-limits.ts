/** How much of a text is read before it counts as too large. */
export interface JsonLimits {
  /** As UTF-8; default 1 MiB. */
  readonly maxBytes?: number
  /** Objects and lists in each other; default 64. */
  readonly maxDepth?: number
  /** The keys of all objects; default 10 000. */
  readonly maxKeys?: number
  /** The items of all lists; default 100 000. */
  readonly maxItems?: number
  /** Of one text or key, in UTF-16 units; default: as `maxBytes` allows. */
  readonly maxTextLength?: number
}

export const defaultLimits = {
  maxBytes: 1_048_576,
  maxDepth: 64,
  maxKeys: 10_000,
  maxItems: 100_000,
  maxTextLength: Number.POSITIVE_INFINITY,
} as const satisfies Required<JsonLimits>

export type JsonProblemCode =
  | 'too-large'
  | 'too-deep'
  | 'bad-encoding'
  | 'not-json'
  | 'duplicate-key'
  | 'unsafe-key'
  | 'unsafe-number'
  | 'lone-surrogate'

/** What is wrong with a text. The message repeats nothing of it. */
export interface JsonProblem {
  readonly code: JsonProblemCode
  readonly message: string
}
