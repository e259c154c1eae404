import { realpathSync } from 'node:fs'
import { dirname, relative, sep } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { errorText } from '../../data/error-text.ts'

/** A module, and where the path to it starts that people know it by. */
export interface ModulePlace {
  readonly path: string
  /** The folder that paths in messages start at. */
  readonly folder: string
}

const maxStackChars = 8_000

/**
 * The first place of a stack that is in a module or beside it, such as
 * `gate.ts:3`; of a slip `gate.ts:3:7`. What is elsewhere tells nobody what to
 * mend.
 */
export function errorPlace(
  thrown: unknown,
  module: ModulePlace,
): string | undefined {
  const { path, folder } = realPlace(module)
  const own = `${dirname(path)}${sep}`
  const stack = stackOf(thrown)
  for (const { 1: file = '', 2: line, index } of stack.matchAll(inStack)) {
    const found = pathOf(file)
    if (found === undefined || !found.startsWith(own)) continue
    const isForeign = found.slice(own.length).split(sep).includes(packages)
    const column = index === 0 ? columnIn(stack) : ''
    if (!isForeign) return `${relative(folder, found)}:${line}${column}`
  }
  return undefined
}

/** Why a module cannot be loaded, and where to look: the rest of a sentence. */
export function loadProblem(thrown: unknown, module: ModulePlace): string {
  const { path, folder } = realPlace(module)
  const place = errorPlace(thrown, module) ?? relative(folder, path)
  const what = errorText(thrown)
    .replaceAll(`${pathToFileURL(folder).href}/`, '')
    .replaceAll(`${folder}${sep}`, '')
  return `cannot be loaded, see ${place}: ${what}`
}

const packages = 'node_modules'

/** A frame, or the first line of an error of syntax. */
const inStack =
  /(?:^|\(|\bat (?:async )?)((?:file:\/\/|\/|[A-Za-z]:\\)[^()\n]{1,4096}?):(\d+)(?::\d+)?\)?$/gm

/** Above the stack of an error of syntax a sign stands below what is wrong. */
function columnIn(stack: string): string {
  const [, before] = /^([ \t]*)\^+[ \t]*$/m.exec(stack) ?? []
  return before === undefined ? '' : `:${before.length + 1}`
}

/** Stacks name files without the links that lead to them. */
function realPlace(module: ModulePlace): ModulePlace {
  try {
    const path = realpathSync(module.path)
    return { path, folder: realpathSync(module.folder) }
  } catch {
    return module
  }
}

/** It can be anything; even to look may throw. */
function stackOf(thrown: unknown): string {
  try {
    const stack = thrown instanceof Error ? thrown.stack : undefined
    return typeof stack === 'string' ? stack.slice(0, maxStackChars) : ''
  } catch {
    return ''
  }
}

function pathOf(file: string): string | undefined {
  if (!file.startsWith('file:')) return file.split('?', 1)[0]
  try {
    return fileURLToPath(file)
  } catch {
    return undefined
  }
}
