import { type HookDefinition, isUse } from '../handlers/definition.ts'
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
  const usesFor = new Map<string, string>()
  const problems: ConfigProblem[] = []
  const kept = hooks.filter((hook) => {
    const same = first.get(meaningOf(hook))
    if (hook.definition.disabled || same === undefined || same === hook) {
      return true
    }
    const names = isUse(hook.definition) ? usesFor : standsFor
    names.set(hook.name, same.name)
    problems.push(...reportOf(hook, same))
    return false
  })
  const meant = (name: string) => {
    const [use = ''] = name.split(':')
    const other = usesFor.get(use)
    // The names of its hooks begin with that of the use.
    if (other !== undefined) return `${other}${name.slice(use.length)}`
    return standsFor.get(name) ?? name
  }
  return { hooks: kept.map((hook) => redirected(hook, meant)), problems }
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
  meant: (name: string) => string,
): ConfiguredHook {
  const { definition } = hook
  if (isUse(definition)) return hook
  const changed: Partial<Record<(typeof orders)[number], readonly string[]>> =
    {}
  for (const key of orders) {
    const names = definition[key]
    if (!names?.some((name) => meant(name) !== name)) continue
    const others = new Set(names.map(meant))
    changed[key] = [...others].filter((name) => name !== hook.name)
  }
  if (Object.keys(changed).length === 0) return hook
  const redirectedTo: HookDefinition = { ...definition, ...changed }
  return Object.freeze({ ...hook, definition: Object.freeze(redirectedTo) })
}
