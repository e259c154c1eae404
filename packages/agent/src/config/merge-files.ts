import { resolve } from 'node:path'
import { dropSame } from './drop-same.ts'
import type { LoadedFile } from './file-content.ts'
import { isProjectScope } from './layer.ts'
import type {
  ConfiguredDialect,
  ConfiguredHook,
  DisabledName,
} from './loaded-config.ts'
import { type ConfigProblem, quote } from './problem.ts'
import { Report } from './report.ts'
import { type FailureRules, resolveNames } from './resolve-names.ts'

interface Merged {
  readonly hooks: readonly ConfiguredHook[]
  readonly dialects: readonly ConfiguredDialect[]
  readonly disabled: readonly DisabledName[]
  readonly problems: readonly ConfigProblem[]
}

/** Puts the files of all layers together, in their order. */
export function mergeFiles(
  files: readonly LoadedFile[],
  failures: FailureRules,
): Merged {
  const named = resolveNames(files, failures)
  const off = switchOff(named.hooks, files)
  const dropped = dropSame(off.hooks, named.meanings)
  return {
    hooks: dropped.hooks,
    dialects: eachOnce(files.flatMap(dialectsOf)),
    disabled: off.disabled,
    problems: [...named.problems, ...off.problems, ...dropped.problems],
  }
}

/** Who says that a hook does not run, where it may say so. */
function switchOff(
  hooks: readonly ConfiguredHook[],
  files: readonly LoadedFile[],
) {
  const byName = new Map(hooks.map((hook) => [hook.name, hook]))
  const hasOthers = files.some(({ dialects }) => dialects.length > 0)
  const prefixes = managedPrefixes(files)
  const disabled: DisabledName[] = []
  const problems: ConfigProblem[] = []
  for (const file of files) {
    const { file: path, layer } = file.candidate
    const { isTrusted } = file
    const report = new Report(path, layer)
    for (const [index, { value: name, at }] of file.disable.entries()) {
      const where = { at, path: ['disable', index] }
      const hook = byName.get(name)
      const isForeign = prefixes.some((prefix) => name.startsWith(prefix))
      const refusal = isForeign
        ? refusalOfForeign(file, name)
        : refusalOf(file, hook)
      if (refusal) report.add({ ...refusal, ...where })
      else disabled.push({ name, layer, file: path, line: at.line, isTrusted })
      if (hook !== undefined || hasOthers) continue
      const suggestion = report.nearest(name, [...byName.keys()])
      const message = `No file has a hook named ${quote(name)}; nothing is switched off.`
      const severity = 'warning'
      const code = 'unknown-name'
      report.add({ code, severity, message, suggestion, ...where })
    }
    problems.push(...report.problems())
  }
  const offBy = new Map(disabled.toReversed().map((one) => [one.name, one]))
  return {
    hooks: hooks.map((hook) => switched(hook, offBy.get(hook.name))),
    disabled,
    problems,
  }
}

/** How the names of hooks begin that managed files of other products hold. */
function managedPrefixes(files: readonly LoadedFile[]): readonly string[] {
  return files
    .filter(({ candidate }) => candidate.layer === 'managed')
    .flatMap(({ dialects }) => dialects.map(({ value }) => `${value.dialect}:`))
}

/**
 * All files of a product come to the same hooks, so that none of them can be
 * without the managed ones; another hook may well have such a name, too.
 */
function refusalOfForeign(file: LoadedFile, name: string) {
  const { layer, file: path } = file.candidate
  if (layer === 'managed') return undefined
  const message = `The hook ${quote(name)} is of a managed hook file of another product; a ${layer} file, ${quote(path)}, cannot switch it off.`
  return { code: 'managed-hook', message } as const
}

function refusalOf(file: LoadedFile, hook: ConfiguredHook | undefined) {
  const { layer, file: path } = file.candidate
  // It may be a hook that others bring, such as a plugin.
  if (hook === undefined) return undefined
  if (hook.layer === 'managed' && layer !== 'managed') {
    const message = `The hook ${quote(hook.name)} is managed; a ${layer} file, ${quote(path)}, cannot switch it off.`
    return { code: 'managed-hook', message } as const
  }
  const isTheUsers = isProjectScope(layer) && !isProjectScope(hook.layer)
  if (!isTheUsers || file.isTrusted) return undefined
  const message = `The hook ${quote(hook.name)} is the user's own; a ${layer} file, ${quote(path)}, can switch it off only when that is trusted (${file.hash}).`
  return { code: 'needs-trust', severity: 'warning', message } as const
}

function switched(
  hook: ConfiguredHook,
  by: DisabledName | undefined,
): ConfiguredHook {
  if (by === undefined) return hook
  const definition = Object.freeze({ ...hook.definition, disabled: true })
  return Object.freeze({ ...hook, definition, disabledBy: by })
}

function dialectsOf({
  candidate: { file, layer, folder },
  dialects,
}: LoadedFile): readonly ConfiguredDialect[] {
  return dialects.map(({ value, at }) => ({
    dialect: value.dialect,
    file: resolve(folder, value.file),
    isStrict: value.strict === true,
    layer,
    source: file,
    line: at.line,
  }))
}

/** A file that several name is read once, and strictly if one says so. */
function eachOnce(
  dialects: readonly ConfiguredDialect[],
): readonly ConfiguredDialect[] {
  const known = new Map<string, ConfiguredDialect>()
  for (const entry of dialects) {
    const key = `${entry.dialect} ${entry.file}`
    const other = known.get(key)
    const isStrict = entry.isStrict || other?.isStrict === true
    known.set(key, { ...(other ?? entry), isStrict })
  }
  return [...known.values()]
}
