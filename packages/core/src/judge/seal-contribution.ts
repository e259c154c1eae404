import {
  type Contributed,
  type Contribution,
  type FailureCode,
  type HookDescriptor,
  type HookError,
  hookError,
  type Point,
} from '../engine/index.ts'

/** Freezes a contribution, or says why it does not count. */
export function sealContribution(
  { name, capabilities }: Pick<HookDescriptor, 'name' | 'capabilities'>,
  point: Point,
  given: Contribution,
): Contributed | HookError<FailureCode> {
  const refuse = (code: FailureCode, problem: string) =>
    hookError(code, name, `contributes ${problem}`)
  try {
    const { kind: kindName, value } = given
    const kind = point.kinds.get(kindName)
    if (kind === undefined) {
      const problem = `what ${point.name} does not take`
      return refuse('contribution-not-allowed', problem)
    }
    if (!capabilities.includes(kindName)) {
      const problem = `"${kindName}" and does not declare it; add capabilities: ['${kindName}']`
      return refuse('missing-capability', problem)
    }
    const sealed = kind.seal(value, point.limits)
    if (sealed.problem === undefined) {
      return Object.freeze({ by: name, kind: kindName, value: sealed.value })
    }
    const problem = `a ${kindName} that ${sealed.problem}`
    return refuse('contribution-not-allowed', problem)
  } catch {
    return refuse('contribution-not-allowed', 'what cannot be read')
  }
}
