import type { Kind } from '../engine/index.ts'

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
