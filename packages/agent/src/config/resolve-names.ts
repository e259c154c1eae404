import { type EntryDefinition, isUse } from '../handlers/definition.ts'
import type { FileHook, LoadedFile } from './file-content.ts'
import { authorityOf, isProjectScope } from './layer.ts'
import type { ConfiguredHook } from './loaded-config.ts'
import { type ConfigProblem, quote } from './problem.ts'
import { Report } from './report.ts'
import { tighten } from './tighten.ts'

/** What happens when this hook fails and does not say so itself. */
export type FailureRules = (
  definition: EntryDefinition,
) => 'open' | 'closed' | 'required'

interface Named {
  readonly hooks: readonly ConfiguredHook[]
  /** By name. */
  readonly meanings: ReadonlyMap<string, string>
  readonly problems: readonly ConfigProblem[]
}

interface Holder {
  readonly file: LoadedFile
  readonly hook: FileHook
  definition: EntryDefinition
  readonly tightenedBy: string[]
}

/**
 * One hook for each name: that of the layer whose word counts more. A managed
 * one can be made stricter by others, and by nobody anything else.
 */
export function resolveNames(
  files: readonly LoadedFile[],
  failures: FailureRules,
): Named {
  const holders = new Map<string, Holder>()
  const problems: ConfigProblem[] = []
  const byAuthority = files.toSorted((one, other) => {
    const { candidate: mine } = one
    return authorityOf(mine.layer) - authorityOf(other.candidate.layer)
  })
  for (const file of byAuthority) {
    const report = new Report(file.candidate.file, file.candidate.layer)
    for (const hook of file.hooks) {
      const holder = holders.get(hook.name)
      if (holder === undefined) {
        const { definition } = hook
        holders.set(hook.name, { file, hook, definition, tightenedBy: [] })
        continue
      }
      settle(holder, hook, { file, report, failures })
    }
    problems.push(...report.problems())
  }
  const kept = new Set(holders.values())
  const inOrder = files.flatMap((file) =>
    [...kept].filter((holder) => holder.file === file),
  )
  return {
    hooks: inOrder.map(configured),
    meanings: new Map(
      inOrder.map(({ hook }) => [hook.name, hook.meaning] as const),
    ),
    problems,
  }
}

interface Settling {
  readonly file: LoadedFile
  readonly report: Report
  readonly failures: FailureRules
}

/** A second hook with a name that is taken. */
function settle(
  holder: Holder,
  hook: FileHook,
  { file, report, failures }: Settling,
): void {
  const { name, definition, meaning, line, column, path } = hook
  const at = { line, column }
  const { file: above, layer } = holder.file.candidate
  if (meaning === holder.hook.meaning) {
    const message = `The hook ${quote(name)} is in ${quote(above)} as well; it runs once.`
    const severity = 'warning'
    report.add({ code: 'same-hook', severity, at, path, message })
    return
  }
  if (layer !== 'managed') {
    const message = `The hook ${quote(name)} of the ${layer} file ${quote(above)} counts, this one does not; rename it.`
    const severity = 'warning'
    report.add({ code: 'shadowed', severity, at, path, message })
    return
  }
  // What a managed use is to be made from is in the folder of its own file.
  const isElsewhere =
    isUse(definition) &&
    hook.usesFolder &&
    file.candidate.folderName !== holder.file.candidate.folderName
  const tightened = isElsewhere
    ? { loosens: 'options' }
    : tighten(holder.definition, definition, failures(definition))
  if ('loosens' in tightened) {
    const message = `The hook ${quote(name)} is managed and can only be made stricter, but \`${tightened.loosens}\` of ${quote(report.file)} does something else; rename this one.`
    report.add({ code: 'managed-hook', at, path, message })
    return
  }
  if (isProjectScope(report.layer) && !file.isTrusted) {
    const message = `The hook ${quote(name)} is made stricter by a ${report.layer} file, which counts only when that is trusted (${file.hash}).`
    const severity = 'warning'
    report.add({ code: 'needs-trust', severity, at, path, message })
    return
  }
  holder.definition = tightened.definition
  holder.tightenedBy.push(report.file)
}

function configured({
  file: { candidate },
  hook: { name, line },
  definition,
  tightenedBy,
}: Holder): ConfiguredHook {
  const { file, layer, folder } = candidate
  return Object.freeze({
    name,
    definition: Object.freeze({ ...definition, name }),
    layer,
    file,
    line,
    folder,
    ...(tightenedBy.length > 0 && { tightenedBy }),
  })
}
