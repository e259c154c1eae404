import { isAbsolute } from 'node:path'
import { type EntryDefinition, isUse } from '../handlers/definition.ts'
import { canonicalJson } from '../seal/canonical-json.ts'
import { sha256 } from '../seal/sha256.ts'
import { anonymousPrefix } from './hook-shape.ts'

/**
 * What a definition means, whatever it is called: two with the same meaning
 * are one hook. Where its paths start counts only if it has such paths.
 */
export function meaningOf(definition: EntryDefinition, folder: string): string {
  const { name: _, description: __, ...rest } = definition
  return canonicalJson(usesFolder(definition) ? [rest, folder] : [rest])
}

/** The name of a hook without one: the same as long as the hook is. */
export function nameWithoutOne(
  definition: EntryDefinition,
  folder: string,
): string {
  if (isUse(definition)) return definition.use
  const hash = sha256(meaningOf(definition, folder)).slice(0, 8)
  return `${anonymousPrefix}${definition.on}:${hash}`
}

function usesFolder(definition: EntryDefinition): boolean {
  if (isUse(definition)) return false
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

/** Whether a program is a file at a path, and not looked for by its name. */
export function isProgramPath(program: string): boolean {
  return program.includes('/') || program.includes('\\')
}
