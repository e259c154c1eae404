import type { HookDefinition } from '../handlers/definition.ts'
import { authorityOf } from './layer.ts'
import type { ConfiguredHook } from './loaded-config.ts'
import { startOfFile } from './node.ts'
import { type ConfigProblem, quote } from './problem.ts'
import { Report } from './report.ts'

/**
 * Hooks that mean the same run once: the one whose layer counts most, then the
 * first. What is said about the others is meant for it.
 */
export function dropSame(
  hooks: readonly ConfiguredHook[],
  meanings: ReadonlyMap<string, string>,
): {
  readonly hooks: readonly ConfiguredHook[]
  readonly problems: readonly ConfigProblem[]
} {
  const meaningOf = ({ name }: ConfiguredHook) => meanings.get(name) ?? name
  const first = new Map<string, ConfiguredHook>()
  for (const hook of hooks.toSorted(byAuthority)) {
    // One that is off does not run in the place of another.
    if (hook.definition.disabled || first.has(meaningOf(hook))) continue
    first.set(meaningOf(hook), hook)
  }
  const standsFor = new Map<string, string>()
  const problems: ConfigProblem[] = []
  const kept = hooks.filter((hook) => {
    const same = first.get(meaningOf(hook))
    if (hook.definition.disabled || same === undefined || same === hook) {
      return true
    }
    standsFor.set(hook.name, same.name)
    problems.push(...reportOf(hook, same))
    return false
  })
  return { hooks: kept.map((hook) => redirected(hook, standsFor)), problems }
}

/** A copy that comes with a project may not run, and keeps nobody from it. */
function byAuthority(one: ConfiguredHook, other: ConfiguredHook): number {
  return authorityOf(one.layer) - authorityOf(other.layer)
}

function reportOf(
  { name, file, layer, line }: ConfiguredHook,
  same: ConfiguredHook,
): readonly ConfigProblem[] {
  const report = new Report(file, layer)
  const message = `The hook ${quote(name)} is the same as ${quote(same.name)} of ${quote(same.file)}; it runs once, under that name.`
  const at = { ...startOfFile, line }
  const severity = 'warning'
  report.add({ code: 'same-hook', severity, at, path: [], message })
  return report.problems()
}

const orders = ['after', 'before', 'needs'] as const

function redirected(
  hook: ConfiguredHook,
  standsFor: ReadonlyMap<string, string>,
): ConfiguredHook {
  const { definition } = hook
  const changed: Partial<Record<(typeof orders)[number], readonly string[]>> =
    {}
  for (const key of orders) {
    const names = definition[key]
    if (!names?.some((name) => standsFor.has(name))) continue
    const meant = names.map((name) => standsFor.get(name) ?? name)
    changed[key] = [...new Set(meant)].filter((name) => name !== hook.name)
  }
  if (Object.keys(changed).length === 0) return hook
  const redirectedTo: HookDefinition = { ...definition, ...changed }
  return Object.freeze({ ...hook, definition: Object.freeze(redirectedTo) })
}
