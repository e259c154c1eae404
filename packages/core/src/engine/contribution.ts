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

export interface KindRules<Unwaited extends boolean> {
  readonly unwaited?: Unwaited
  readonly live?: boolean
  readonly check?: (value: unknown) => string | undefined
}

export function defineKind<Value>() {
  return <const Name extends string, const Unwaited extends boolean = false>(
    name: Name,
    rules: KindRules<Unwaited> = {},
  ): Kind<Name, Value, Unwaited> => {
    const make = (value: Value) => ({ kind: name, value })
    return Object.freeze(
      Object.assign(make, {
        kind: name,
        // The default of the type parameter is the default here.
        unwaited: rules.unwaited ?? (false as Unwaited),
        live: rules.live ?? false,
        check: rules.check ?? (() => undefined),
      }),
    )
  }
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
