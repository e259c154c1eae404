import type {
  FailureCode,
  HookError,
  HookRecord,
  Kind,
  Outcome,
  Point,
  ShapeOf,
} from '../engine/index.ts'
import { isEqualData } from '../lifecycle/contributions/equal-data.ts'

interface Result<P extends Point> {
  readonly point: P
  readonly hook: string
  readonly outcome: Outcome<P> | HookError
  readonly record: HookRecord | undefined
  /** Why it failed, with what was thrown; records do not say that. */
  readonly error: HookError | undefined
  readonly contributed: readonly { kind: string; value: unknown }[]
}

type Answered = NonNullable<HookRecord['answer']>

/** What a hook did, with the assertions that its author wants to make. */
export class Trial<P extends Point> {
  /** What the point came to, or why it could not be asked. */
  readonly outcome: Outcome<P> | HookError
  /** What the hook's own run came to; absent when it did not match. */
  readonly record: HookRecord | undefined
  readonly #result: Result<P>

  constructor(result: Result<P>) {
    this.#result = result
    this.outcome = result.outcome
    this.record = result.record
  }

  proceeds(): this {
    return this.#answers('proceed')
  }

  /** It changed the point's subject, to this one if one is given. */
  transforms(subject?: ShapeOf<P>['value']): this {
    this.#answers('transform')
    return subject === undefined ? this : this.leaves(subject)
  }

  replaces(subject?: ShapeOf<P>['value']): this {
    this.#answers('replace')
    return subject === undefined ? this : this.leaves(subject)
  }

  rejects(reason?: string | RegExp): this {
    return this.#answers('reject').#says(reason)
  }

  /** The operation is refused because of it: it rejected, or failed closed. */
  denies(): this {
    const { type, by } = Object(this.outcome)
    if (type === 'reject' && by === this.#name) return this
    throw this.#unexpected('deny')
  }

  /** It ran to its end; all that an observer can do. */
  completes(): this {
    if (this.record?.state === 'completed') return this
    throw this.#unexpected('complete')
  }

  asks(question?: string | RegExp): this {
    return this.#answers('ask').#says(question)
  }

  endsTurn(reason?: string | RegExp): this {
    return this.#answers('endTurn').#says(reason)
  }

  keepsGoing(feedback?: string | RegExp): this {
    return this.#answers('keepGoing').#says(feedback)
  }

  responds(output?: ShapeOf<P>['output']): this {
    this.#answers('respond')
    const found = Object(this.outcome).output
    if (output === undefined || isEqualData(found, output)) return this
    const gave = `it responded with ${show(found)}`
    throw this.#unexpected(`respond with ${show(output)}`, gave)
  }

  /** After all hooks, the point's subject is this. */
  leaves(subject: ShapeOf<P>['value']): this {
    const { subject: key } = this.#result.point
    const value = Object(this.outcome).value
    const found = key === undefined ? value : Object(value)[key]
    if (isEqualData(found, subject)) return this
    throw this.#unexpected(`leave ${show(subject)}`, `it left ${show(found)}`)
  }

  /** It contributed one of that kind, whose value has at least these parts. */
  contributes<Value>(
    kind: Kind<string, Value>,
    parts: Partial<Value> = {},
  ): this {
    const made = this.#result.contributed.filter(
      (one) => one.kind === kind.kind,
    )
    const fits = (value: unknown) =>
      Object.entries(parts).every(([key, part]) =>
        isEqualData(Object(value)[key], part as never),
      )
    if (made.some(({ value }) => fits(value))) return this
    const wanted = `contribute a ${kind.kind} with ${show(parts)}`
    if (this.record?.failure !== undefined) throw this.#unexpected(wanted)
    throw this.#unexpected(wanted, `it contributed ${show(made)}`)
  }

  /** It gave no valid answer, for this reason. */
  fails(code: FailureCode): this {
    if (this.record?.failure?.code === code) return this
    throw this.#unexpected(`fail (${code})`)
  }

  /** Its matcher did not want the input. */
  misses(): this {
    if (this.record === undefined) return this
    throw this.#unexpected('miss')
  }

  #answers(answer: Answered): this {
    if (this.record?.answer === answer) return this
    throw this.#unexpected(answer)
  }

  #says(text: string | RegExp | undefined): this {
    const { outcome } = this.#result
    const { by, reason, feedback, questions } = Object(outcome)
    const ours = questions?.find(({ by }: { by: string }) => by === this.#name)
    const said = String(ours?.question ?? reason ?? feedback ?? '')
    if (text === undefined) return this
    if (ours === undefined && by !== this.#name) {
      const decided =
        by === undefined ? 'it decided nothing' : `"${by}" decided`
      throw this.#unexpected(`say ${text}`, decided)
    }
    const isSaid = text instanceof RegExp ? text.test(said) : text === said
    if (isSaid) return this
    throw this.#unexpected(`say ${text}`, `it said ${show(said)}`)
  }

  get #name(): string {
    return this.#result.hook
  }

  #unexpected(wanted: string, found = tell(this.#result)): Error {
    return new Error(
      `Hook "${this.#name}" was expected to ${wanted}, but ${found}.`,
    )
  }
}

function tell({
  record,
  error,
}: Pick<Result<Point>, 'record' | 'error'>): string {
  if (record === undefined) return 'its matcher did not want this input'
  const { answer, failure, state, note } = record
  if (answer !== undefined) return `it answered "${answer}"`
  if (failure === undefined) {
    return `it was ${state}${note === undefined ? '' : ` (${note})`}`
  }
  const { cause, message } = error ?? {}
  // In a test, what was thrown is no secret.
  const why = cause instanceof Error ? `${cause}` : message
  return `it failed (${failure.code}): ${why?.replace(/\.$/, '')}`
}

function show(value: unknown): string {
  return JSON.stringify(value) ?? 'nothing'
}
