import type { DataLimits } from './data.ts'
import { type FailureCode, type HookError, hookError } from './error.ts'
import type { Hook } from './hook.ts'

/** A typed thing that a hook adds. Made by calling its kind. */
export interface Contribution<Name extends string = string, Value = unknown> {
  readonly kind: Name
  readonly value: Value
}

/** A kind of contribution: a function that makes one, with its rules. */
export interface Kind<
  Name extends string = string,
  // biome-ignore lint/suspicious/noExplicitAny: stands for every value
  Value = any,
  Unwaited extends boolean = boolean,
> {
  (value: Value): Contribution<Name, Value>
  readonly kind: Name
  /** Whether a hook that nobody waits for may contribute it. */
  readonly unwaited: Unwaited
  /** Freezes a value, and says what is wrong with it without repeating it. */
  readonly check: (value: unknown, limits: DataLimits) => string | undefined
}

/** Freezes a contribution's value, and says why it does not count. */
export function checkContribution(
  { on: point, name, capabilities }: Hook,
  { kind: kindName, value }: Contribution,
): HookError<FailureCode> | undefined {
  const refuse = (code: FailureCode, problem: string) =>
    hookError(code, name, `contributes ${problem}`)
  const kind = point.kinds.get(kindName)
  if (kind === undefined) {
    const problem = `what ${point.name} does not take`
    return refuse('contribution-not-allowed', problem)
  }
  if (!capabilities?.includes(kindName)) {
    const problem = `"${kindName}" without that capability`
    return refuse('missing-capability', problem)
  }
  const problem = kind.check(value, point.limits)
  if (problem === undefined) return undefined
  return refuse('contribution-not-allowed', `a ${kindName} that ${problem}`)
}

/** A contribution with the hook that made it. */
export interface Contributed<Value = unknown> {
  readonly by: string
  readonly kind: string
  readonly value: Value
}

/** What the hooks of a dispatch added, in the order of the plan. */
export class Contributions {
  readonly all: readonly Contributed[]

  constructor(all: readonly Contributed[]) {
    this.all = all
  }

  /** The contributions of one kind. */
  of<Value>(kind: Kind<string, Value>): readonly Contributed<Value>[] {
    const isOfKind = (one: Contributed): one is Contributed<Value> =>
      one.kind === kind.kind
    return this.all.filter(isOfKind)
  }
}

export const noContributions: Contributions = new Contributions([])
