import { freezeDeep, type Kind } from '../engine/index.ts'
import { sealData } from '../judge/seal-data.ts'

export interface KindRules<Unwaited extends boolean> {
  /** Whether a hook that nobody waits for may contribute it. */
  readonly unwaited?: Unwaited
  /** Whether it holds functions, so that it is frozen but is not data. */
  readonly live?: boolean
  /** Says what is wrong with a value, without repeating the value. */
  readonly check?: (value: unknown) => string | undefined
}

/** Called twice: first with the type of the value, then with its name. */
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
        seal: createSeal(rules),
      }),
    )
  }
}

function createSeal(rules: KindRules<boolean>): Kind['seal'] {
  return (value, limits) => {
    const sealed = rules.live
      ? { value: freezeDeep(value) }
      : sealData(value, limits)
    if (sealed.problem !== undefined) return { problem: `is ${sealed.problem}` }
    const problem = rules.check?.(sealed.value)
    return problem === undefined ? sealed : { problem }
  }
}
