import { type Hook, hookError, type LoadCode } from '../engine/index.ts'
import { isWaited } from './resolve-hook.ts'

/**
 * For every hook of a point, the names of the hooks that must run before it.
 * Whatever cannot be waited for is an error of its own.
 */
export function collectLeaders(
  hooks: readonly Hook[],
  byName: ReadonlyMap<string, Hook>,
): ReadonlyMap<string, readonly string[]> {
  const leaders = new Map(hooks.map((hook) => [hook.name, [] as string[]]))
  for (const hook of hooks) {
    const { name, after = [], before = [], needs = [] } = hook
    const needed = new Set(needs)
    for (const other of [...after, ...needs]) {
      const leader = findDependency(hook, other, byName)
      checkWaited(leader, hook, needed.has(other))
      leaders.get(name)?.push(other)
    }
    for (const other of before) {
      checkWaited(hook, findDependency(hook, other, byName), false)
      leaders.get(other)?.push(name)
    }
  }
  return leaders
}

function findDependency(
  { name, on }: Hook,
  other: string,
  byName: ReadonlyMap<string, Hook>,
): Hook {
  const refuse = (code: LoadCode, problem: string) =>
    hookError(code, name, `depends on ${problem}`)
  const found = byName.get(other)
  if (other === name) throw refuse('dependency-self', 'itself')
  if (found === undefined) {
    throw refuse('dependency-missing', `"${other}", which is not in the table`)
  }
  if (found.on.name !== on.name) {
    const problem = `"${other}", which is on ${found.on.name}, not on ${on.name}`
    throw refuse('dependency-elsewhere', problem)
  }
  if (found.disabled) {
    throw refuse('dependency-disabled', `"${other}", which is disabled`)
  }
  return found
}

function checkWaited(leader: Hook, follower: Hook, isNeeded: boolean): void {
  if (isWaited(leader) || (!isWaited(follower) && !isNeeded)) return
  const problem = `depends on "${leader.name}", which nobody waits for`
  throw hookError('dependency-unwaited', follower.name, problem)
}
