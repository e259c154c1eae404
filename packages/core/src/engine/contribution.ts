import { freezeDeep, sealData } from './data.ts'
import { type FailureCode, HookError } from './error.ts'
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
  /** Whether it holds functions, so that it is frozen but is not data. */
  readonly live: boolean
  /** Says what is wrong with a value, without repeating the value. */
  readonly check: (value: unknown) => string | undefined
}

/** Freezes a contribution's value, and says why it does not count. */
export function checkContribution(
  { on: point, name, capabilities }: Hook,
  { kind: kindName, value }: Contribution,
): HookError<FailureCode> | undefined {
  const refuse = (code: FailureCode, problem: string) =>
    new HookError(code, `Hook "${name}" contributes ${problem}.`, name)
  const kind = point.kinds.get(kindName)
  if (kind === undefined) {
    const problem = `what ${point.name} does not take`
    return refuse('contribution-not-allowed', problem)
  }
  if (!capabilities?.includes(kindName)) {
    const problem = `"${kindName}" without that capability`
    return refuse('missing-capability', problem)
  }
  if (kind.live) freezeDeep(value)
  const problem = kind.live ? undefined : sealData(value, point.limits)
  if (problem !== undefined) return refuse(problem, `what is ${problem}`)
  const wrong = kind.check(value)
  if (wrong === undefined) return undefined
  return refuse('contribution-not-allowed', `a ${kindName} that ${wrong}`)
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
