import { isAbsolute } from 'node:path'
import {
  type EntryDefinition,
  isUse,
  type UseDefinition,
} from '../handlers/definition.ts'
import { canonicalJson } from '../seal/canonical-json.ts'
import { sha256 } from '../seal/sha256.ts'
import type { CatalogueEntry } from './catalogue.ts'
import { anonymousPrefix } from './hook-shape.ts'

/** Where a definition is written. */
interface Written {
  readonly folder: string
  /** Its paths start there, so that elsewhere it is another one. */
  readonly usesFolder: boolean
}

/**
 * What a definition means, whatever it is called: two with the same meaning
 * are one hook. Where its paths start counts only if it has such paths.
 */
export function meaningOf(
  definition: EntryDefinition,
  { folder, usesFolder }: Written,
): string {
  const { name: _, description: __, ...rest } = definition
  return canonicalJson(usesFolder ? [rest, folder] : [rest])
}

/** The name of a hook without one: the same as long as the hook is. */
export function nameWithoutOne(
  definition: EntryDefinition,
  written: Written,
): string {
  if (isUse(definition)) return definition.use
  const hash = sha256(meaningOf(definition, written)).slice(0, 8)
  return `${anonymousPrefix}${definition.on}:${hash}`
}

/** Whether a definition has paths that start at the folder of its file. */
export function usesFolder(
  definition: EntryDefinition,
  entries: readonly CatalogueEntry[] | undefined,
): boolean {
  if (isUse(definition)) return optionsUseFolder(definition, entries)
  const { handler } = definition
  if (handler.type === 'module') return !isAbsolute(handler.file)
  if (handler.type !== 'command') return false
  const { argv, windowsArgv, cwd, sandbox } = handler
  const programs = [argv?.[0], windowsArgv?.[0]].filter(
    (program) => program !== undefined && isProgramPath(program),
  )
  const { writable = [], readOnly = [], hidden = [] } = sandbox ?? {}
  return [...programs, ...writable, ...readOnly, ...hidden, cwd].some(
    (path) => path !== undefined && !isAbsolute(path),
  )
}

/** Where nobody says which of its options are paths, any text may be one. */
function optionsUseFolder(
  { use, options = {} }: UseDefinition,
  entries: readonly CatalogueEntry[] | undefined,
): boolean {
  const entry = entries?.find(({ name }) => name === use)
  const { files = () => [], paths = files } = entry ?? { paths: textsIn }
  try {
    return paths(options).some((path) => !isAbsolute(path))
  } catch {
    return true
  }
}

function textsIn(value: unknown): readonly string[] {
  if (typeof value === 'string') return [value]
  if (typeof value !== 'object' || value === null) return []
  return Object.values(value).flatMap(textsIn)
}

/** Whether a program is a file at a path, and not looked for by its name. */
export function isProgramPath(program: string): boolean {
  return program.includes('/') || program.includes('\\')
}
