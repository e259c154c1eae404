import { HookError, type LoadCode } from './error.ts'
import type { Hook } from './hook.ts'
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
    for (const name of [...(hook.after ?? []), ...(hook.needs ?? [])]) {
      const leader = findDependency(hook, name, byName)
      checkWaited(leader, hook, hook.needs?.includes(name) ?? false)
      leaders.get(hook.name)?.push(name)
    }
    for (const name of hook.before ?? []) {
      const follower = findDependency(hook, name, byName)
      checkWaited(hook, follower, false)
      leaders.get(name)?.push(hook.name)
    }
  }
  return leaders
}

function findDependency(
  hook: Hook,
  name: string,
  byName: ReadonlyMap<string, Hook>,
): Hook {
  const refuse = (code: LoadCode, problem: string) =>
    new HookError(code, `Hook "${hook.name}" depends on ${problem}.`, {
      hook: hook.name,
    })
  const found = byName.get(name)
  if (name === hook.name) throw refuse('dependency-self', 'itself')
  if (found === undefined) {
    throw refuse('dependency-missing', `"${name}", which is not in the table`)
  }
  if (found.on.name !== hook.on.name) {
    throw refuse(
      'dependency-elsewhere',
      `"${name}", which is on ${found.on.name}, not on ${hook.on.name}`,
    )
  }
  if (found.disabled) {
    throw refuse('dependency-disabled', `"${name}", which is disabled`)
  }
  return found
}

function checkWaited(leader: Hook, follower: Hook, isNeeded: boolean): void {
  if (isWaited(leader) || (!isWaited(follower) && !isNeeded)) return
  throw new HookError(
    'dependency-unwaited',
    `Hook "${follower.name}" depends on "${leader.name}", which nobody waits for.`,
    { hook: follower.name },
  )
}
