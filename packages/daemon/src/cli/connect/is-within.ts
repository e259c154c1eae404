import { realpathSync } from 'node:fs'
import { isAbsolute, relative, sep } from 'node:path'

/** A daemon has the hooks of one project, and of no other. */
export function isWithin(folder: string, root: string): boolean {
  const way = relative(real(root), real(folder))
  return way !== '..' && !way.startsWith(`..${sep}`) && !isAbsolute(way)
}

function real(folder: string): string {
  try {
    return realpathSync(folder)
  } catch {
    return folder
  }
}
