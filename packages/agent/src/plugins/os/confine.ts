import { realpath } from 'node:fs/promises'
import { isAbsolute, resolve } from 'node:path'
import { isWithin } from '../../paths/real-path.ts'
import { OsError } from './os-error.ts'

/** The folders that a call may touch, as they really are. */
export interface Confinement {
  /** Real paths. */
  readonly roots: readonly string[]
  /** Real paths within them that nobody gets to see. */
  readonly hidden: readonly string[]
  readonly cwd: string
}

const longestPath = 4_096

/** Finds out where the folders of a grant really are. */
export async function confineTo(
  roots: readonly string[],
  cwd: string | undefined,
  hidden: readonly string[] = [],
): Promise<Confinement> {
  if (cwd === undefined || !isAbsolute(cwd)) {
    throw new OsError('The session has no working folder.')
  }
  const real: string[] = []
  for (const root of roots) {
    try {
      real.push(await realpath(resolve(cwd, root)))
    } catch {
      // A folder that is not there cannot be touched.
    }
  }
  const realCwd = await realpath(cwd).catch(() => {
    throw new OsError(`The working folder "${cwd}" is gone.`)
  })
  return { roots: real, hidden, cwd: realCwd }
}

export function isInside(
  { roots, hidden = [] }: Pick<Confinement, 'roots'> & Partial<Confinement>,
  path: string,
): boolean {
  const isBelow = (folder: string) => isWithin(folder, path)
  return roots.some(isBelow) && !hidden.some(isBelow)
}

/** The path that is meant, before anything is known of it. */
export function absolutePath({ cwd }: Confinement, path: string): string {
  if (path === '' || path.includes('\0')) {
    throw new OsError('A path is needed.')
  }
  if (path.length > longestPath) throw new OsError('The path is too long.')
  return resolve(cwd, path)
}
