import { constants } from 'node:fs'
import { access } from 'node:fs/promises'
import { resolve } from 'node:path'
import { isUse } from '../handlers/definition.ts'
import { type ConfigCandidate, isWithin } from './config-source.ts'
import type { FileHook } from './file-content.ts'
import type { DialectEntry, Placed } from './file-sections.ts'
import { isProjectScope } from './layer.ts'
import type { Loader } from './loader.ts'
import { isProgramPath } from './meaning.ts'
import { quote } from './problem.ts'
import type { Report } from './report.ts'

/** Two hooks of one file with one name, unless they are one hook. */
export function checkNames(hooks: readonly FileHook[], report: Report): void {
  const byName = new Map<string, FileHook>()
  for (const hook of hooks) {
    const other = byName.get(hook.name)
    byName.set(hook.name, other ?? hook)
    if (other === undefined || other.meaning === hook.meaning) continue
    const { line, column } = hook
    const message =
      isUse(hook.definition) && isUse(other.definition)
        ? `${quote(hook.name)} is what two uses of this file are called, here and at line ${other.line}; give one of them a \`name\` of its own.`
        : `Two hooks of this file are named ${quote(hook.name)}, here and at line ${other.line}; rename one.`
    const code = 'duplicate-name'
    report.add({ code, at: { line, column }, path: hook.path, message })
  }
}

/** A project names hook files of its own only. */
export function checkDialects(
  dialects: readonly Placed<DialectEntry>[],
  { folder, layer }: ConfigCandidate,
  {
    report,
    root,
  }: { readonly report: Report; readonly root?: string | undefined },
): void {
  if (!isProjectScope(layer) || root === undefined) return
  for (const [index, { value, at }] of dialects.entries()) {
    if (isWithin(resolve(root), resolve(folder, value.file))) continue
    const path = ['dialects', index, 'file']
    const message = `A ${layer} file may only name hook files of its project, but ${quote(value.file)} is outside; name it in the user's own.`
    report.add({ code: 'refused-key', at, path, message })
  }
}

/**
 * Hooks whose builtins can be used as they say. One that only watches and
 * cannot be is left out; one whose answer counts takes the file out.
 */
export async function checkBuiltins(
  hooks: readonly FileHook[],
  loader: Pick<Loader, 'findBuiltinProblem' | 'isObserver'>,
  report: Report,
): Promise<readonly FileHook[]> {
  const checked = hooks.map(async (hook): Promise<FileHook[]> => {
    const { definition, line, column, path } = hook
    if (isUse(definition) || definition.handler.type !== 'builtin')
      return [hook]
    const { handler, on: point } = definition
    const use = { definition: handler, point }
    const message = await loader.findBuiltinProblem(use)
    if (message === undefined) return [hook]
    const severity = loader.isObserver(definition) ? 'warning' : 'error'
    const where = { at: { line, column }, path: [...path, 'handler'] }
    report.add({ code: 'wrong-value', severity, message, ...where })
    return []
  })
  return (await Promise.all(checked)).flat()
}

/** Files that hooks name and that are not there: said now, not when it counts. */
export async function checkPrograms(
  hooks: readonly FileHook[],
  { folder }: ConfigCandidate,
  report: Report,
): Promise<void> {
  const checks = hooks.map(async ({ definition, line, column, path }) => {
    const named = namedFile(definition, folder)
    if (named === undefined || (await mayBeUsed(named))) return
    const what = named.mode === constants.X_OK ? 'executable' : 'readable'
    const message = `The file ${quote(named.path)}, which this hook runs, is not there or not ${what}; the hook will fail.`
    const code = 'missing-program'
    const severity = 'warning'
    report.add({ code, at: { line, column }, path, message, severity })
  })
  await Promise.all(checks)
}

interface NamedFile {
  readonly path: string
  readonly mode: number
}

/** A program without a path is looked for when it is needed. */
function namedFile(
  definition: FileHook['definition'],
  folder: string,
): NamedFile | undefined {
  if (definition.disabled || isUse(definition)) return undefined
  const { handler } = definition
  if (handler.type === 'module') {
    return { path: resolve(folder, handler.file), mode: constants.R_OK }
  }
  if (handler.type !== 'command') return undefined
  const isWindows = process.platform === 'win32'
  const argv = isWindows ? (handler.windowsArgv ?? handler.argv) : handler.argv
  const [program = ''] = argv ?? []
  const mode = constants.X_OK
  if (!isProgramPath(program)) return undefined
  return { path: resolve(folder, program), mode }
}

async function mayBeUsed({ path, mode }: NamedFile): Promise<boolean> {
  try {
    await access(path, mode)
    return true
  } catch {
    return false
  }
}
