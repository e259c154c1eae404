import type { JsonObject, UserContent } from 'hookline/lifecycle'
import type { TurnProgress } from '../loop/turn.ts'
import { AgentError } from '../ports/agent-error.ts'
import type { TurnResult } from '../ports/turn-result.ts'
import { canonicalJson } from '../seal/canonical-json.ts'
import { sha256 } from '../seal/sha256.ts'
import { contentOf } from './content-of.ts'

const maxInputs = 1_000

/** An input that had an id, and what it was answered with. */
export interface KnownInput {
  readonly result: Promise<TurnResult>
  /** Absent: of an older journal, which does not tell. */
  readonly digest?: string | undefined
}

/** What tells an input from another one: its content, and what is wanted. */
export function inputDigest(
  input: string | UserContent,
  jsonSchema?: JsonObject,
): string {
  return sha256(canonicalJson([contentOf(input), jsonSchema ?? null]))
}

/** Throws if an id that is known comes with another input. */
export function checkSameInput(
  id: string,
  known: string | undefined,
  given: string | undefined,
): void {
  if (known === undefined || given === undefined || known === given) return
  const message = `The id "${id}" was given with another input before; give each input an id of its own.`
  throw new AgentError('input-conflict', message)
}

/** The newest inputs that had an id, and what they were answered with. */
export class KnownInputs {
  /** Never changed: a copy takes its place when one is added, which is rare. */
  readonly #earlier: ReadonlyMap<string, KnownInput>
  #copy: Map<string, KnownInput> | undefined

  constructor(earlier: ReadonlyMap<string, KnownInput>) {
    this.#earlier = earlier
  }

  /** What the same input was answered with; undefined for a new one. */
  find(
    id: string | undefined,
    digest: string | undefined,
    onEnd: () => void,
  ): Promise<TurnResult> | undefined {
    if (id === undefined) return undefined
    const known = (this.#copy ?? this.#earlier).get(id)
    if (known === undefined) return undefined
    checkSameInput(id, known.digest, digest)
    const again = known.result
      .then((result) => ({ ...result, isDuplicate: true }))
      .finally(onEnd)
    // Who does not wait for the result has not asked to hear of its failure.
    again.catch(() => {})
    return again
  }

  add(id: string, input: KnownInput): void {
    this.#copy ??= new Map(this.#earlier)
    const [oldest] = this.#copy.keys()
    if (this.#copy.size >= maxInputs && oldest !== undefined) {
      this.#copy.delete(oldest)
    }
    this.#copy.set(id, input)
  }

  /** What was not kept, and led to nothing, can be given again. */
  forgetLost(
    id: string | undefined,
    { error, steps }: TurnResult,
    { hasActed }: Pick<TurnProgress, 'hasActed'>,
  ): void {
    const isLost = error?.code === 'store' && steps === 0 && !hasActed
    if (isLost && id !== undefined) this.#copy?.delete(id)
  }
}
