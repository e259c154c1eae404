import { randomBytes } from 'node:crypto'
import { lstat, readlink, realpath, rename } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { isInside } from './confine.ts'
import { findBeside } from './find-beside.ts'
import { findNamed } from './find-named.ts'
import { systemCode } from './os-error.ts'
import { isProtectedName, type ProtectedOptions } from './protected-paths.ts'

/** What a sandbox is told of the protected files in the roots of a command. */
export interface RootsGuard {
  /** Real paths that it must not change. */
  readonly readOnly: readonly string[]
  /** Folders on the way to them: mounted, so that nobody moves them. */
  readonly onTheWay: readonly string[]
  /**
   * What was not there before cannot be kept from being made. It is given
   * another name afterwards, under which nobody runs it.
   */
  setAside(): Promise<readonly SetAside[]>
}

export interface SetAside {
  readonly path: string
  readonly now: string
}

/** What in `.git` has git run things, or read them from elsewhere. */
const gitParts = [
  'hooks',
  'config',
  'config.worktree',
  'commondir',
  'modules',
  'worktrees',
]

/** Finds what is protected in roots, now and after a command. */
export async function guardRoots(
  roots: readonly string[],
  options: ProtectedOptions,
): Promise<RootsGuard> {
  const before = await findProtected(roots, options)
  const readOnly: string[] = []
  const onTheWay = new Set<string>()
  const keep = async (path: string, kind: Found['kind']) => {
    const real = kind === 'link' ? await realpath(path).catch(() => '') : path
    // What is elsewhere is hidden, or only read: it must not be shown.
    if (!isInside({ roots }, real)) return
    if (kind === 'git') onTheWay.add(real)
    else readOnly.push(real)
    for (const folder of foldersAbove(real, roots)) onTheWay.add(folder)
  }
  for (const [path, { kind }] of before) await keep(path, kind)
  const listed = options.paths.filter((path) => before.has(path))
  for (const path of await findBeside(listed, roots)) {
    const one = await lookAt(path)
    // Gone meanwhile: then there is nothing to change.
    if (one !== undefined) await keep(path, one.kind)
  }
  return {
    readOnly,
    onTheWay: [...onTheWay].sort(),
    async setAside() {
      const moved: SetAside[] = []
      const after = await findProtected(roots, options)
      for (const [path, { mark }] of after) {
        if (before.get(path)?.mark === mark) continue
        // A name that nobody can have taken beforehand.
        const now = `${path}.refused-${randomBytes(6).toString('hex')}`
        try {
          await rename(path, now)
          moved.push({ path, now })
        } catch (error) {
          // It went with the folder that it was in.
          if (systemCode(error) !== 'ENOENT') throw error
        }
      }
      return moved
    },
  }
}

interface Found {
  /** The folder `.git` is written to by git; only parts of it are kept. */
  readonly kind: 'git' | 'link' | 'other'
  /** Another mark: it is another thing. Only links can be put in their own place. */
  readonly mark: string
}

async function findProtected(
  roots: readonly string[],
  { paths, allowed }: ProtectedOptions,
): Promise<ReadonlyMap<string, Found>> {
  const found = new Map<string, Found>()
  const note = async (path: string) => {
    const one = await lookAt(path)
    if (one !== undefined) found.set(path, one)
    return one
  }
  const isWanted = (name: string) => isProtectedName(name, allowed)
  for (const path of await findNamed(roots, isWanted)) {
    const isGit = (await note(path))?.kind === 'git'
    if (isGit) for (const part of gitParts) await note(join(path, part))
  }
  for (const path of paths) {
    // One that has come to lead elsewhere is not the protected one.
    const above = await realpath(dirname(path)).catch(() => '')
    const isGit = above === dirname(path) && (await note(path))?.kind === 'git'
    // Listed by itself it is kept as a whole.
    if (isGit) found.set(path, { kind: 'other', mark: 'other' })
  }
  return found
}

async function lookAt(path: string): Promise<Found | undefined> {
  try {
    const stat = await lstat(path)
    if (stat.isSymbolicLink()) {
      return { kind: 'link', mark: `link ${await readlink(path)}` }
    }
    const isGit = stat.isDirectory() && path.endsWith('/.git')
    const kind = isGit ? 'git' : 'other'
    return { kind, mark: kind }
  } catch {
    return undefined
  }
}

function foldersAbove(path: string, roots: readonly string[]): string[] {
  const above: string[] = []
  let here = dirname(path)
  while (isInside({ roots }, here) && !roots.includes(here)) {
    above.push(here)
    here = dirname(here)
  }
  return above
}
