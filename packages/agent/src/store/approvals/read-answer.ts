import type { JsonObject } from 'hookline/lifecycle'
import { copyJsonObject } from '../../data/copy-json.ts'
import { StoreError } from '../store-error.ts'
import type { Covers, Lasts, Principal } from './approval.ts'

/** What somebody says to a question, and to what they were shown of it. */
export type ApprovalReply = {
  /** The `shownHash` of the approval that whoever answers has seen. */
  readonly shownHash: string
  readonly reason?: string
} & (
  | {
      readonly type: 'allow'
      /** Default: `once`. The others become rules. */
      readonly lasts?: Lasts
      /** What such a rule is for. Default: `arguments`. */
      readonly covers?: Covers
    }
  | { readonly type: 'deny' }
  /** Not yet a yes: the changed call is judged, and asked about, anew. */
  | { readonly type: 'edit'; readonly args: JsonObject }
)

/** An answer that was read: nobody can change it any more. */
export interface ReadAnswer {
  readonly type: 'allow' | 'deny' | 'edit'
  readonly shownHash: string
  /** Null where it is no yes, as is the next. */
  readonly lasts: Lasts | null
  readonly covers: Covers | null
  readonly reason: string | null
  readonly args: JsonObject | undefined
}

const maxReasonChars = 4_000
const maxNameChars = 200
const types = ['allow', 'deny', 'edit'] as const
const kinds = ['user', 'service', 'system', 'agent'] as const
const spans = ['once', 'session', 'always'] as const
const coverages = ['arguments', 'tool'] as const

/** Reads each part once, and refuses what is none of it. */
export function readAnswer(reply: ApprovalReply): ReadAnswer {
  const given = Object(reply) as Readonly<Record<string, unknown>>
  const { type, shownHash, lasts, covers, reason, args } = given
  const known = word(type, types, 'type')
  const isAllow = known === 'allow'
  if (!isAllow && (lasts !== undefined || covers !== undefined)) {
    throw refuse('is no yes, but lasts')
  }
  return Object.freeze({
    type: known,
    shownHash: readText(shownHash, 'shownHash'),
    lasts: isAllow ? word(lasts ?? 'once', spans, 'lasts') : null,
    covers: isAllow ? word(covers ?? 'arguments', coverages, 'covers') : null,
    reason: reason === undefined ? null : readText(reason, 'reason'),
    args: known === 'edit' ? readArgs(args) : undefined,
  })
}

function word<Word extends string>(
  given: unknown,
  words: readonly Word[],
  key: string,
): Word {
  const known = words.find((one) => one === given)
  if (known !== undefined) return known
  throw refuse(`has a \`${key}\` that is none of ${words.join(', ')}`)
}

function readText(given: unknown, key: string): string {
  if (typeof given === 'string' && given.length <= maxReasonChars) return given
  const limit = `text of at most ${maxReasonChars} characters`
  throw refuse(`has a \`${key}\` that is not ${limit}`)
}

function readArgs(args: unknown): JsonObject {
  const { value, issue } = copyJsonObject(args)
  if (issue) throw refuse('edits without a plain object as `args`')
  return value
}

/** Who somebody is has to be text that can be shown, whole. */
export function readPrincipal(principal: Principal): Principal {
  const { kind, id } = Object(principal) as Readonly<Record<string, unknown>>
  const isName = typeof id === 'string' && /^[^\p{C}\p{Z}]+$/u.test(id)
  if (!isName || id.length > maxNameChars) {
    throw refuse('is by somebody whose id is not a name without spaces')
  }
  return Object.freeze({ kind: word(kind, kinds, 'kind'), id })
}

function refuse(problem: string): StoreError {
  const message = `An answer ${problem}; the question stays open.`
  return new StoreError('invalid-options', message)
}
