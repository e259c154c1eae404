import type { DataLimits } from './freeze.ts'

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
  /** Freezes a value, or says what is wrong with it without repeating it. */
  readonly seal: (value: unknown, limits: DataLimits) => SealedContribution
}

type SealedContribution =
  | { readonly value: unknown; readonly problem?: undefined }
  | { readonly problem: string }

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
    this.all = Object.freeze(all)
    Object.freeze(this)
  }

  /** The contributions of one kind. */
  of<Value>(kind: Kind<string, Value>): readonly Contributed<Value>[] {
    const isOfKind = (one: Contributed): one is Contributed<Value> =>
      one.kind === kind.kind
    return this.all.filter(isOfKind)
  }
}

export const none: readonly never[] = Object.freeze([])
export const noContributions: Contributions = new Contributions(none)
