import { realpathSync, type Stats, statSync } from 'node:fs'
import { FileHash, type FileState } from '../handlers/module/file-hash.ts'
import { isInside } from './is-inside.ts'
import type { NamedPath } from './path-list.ts'
import { realOf } from './real-of.ts'

export type Looked =
  | { readonly type: 'file'; readonly real: string; readonly hash: string }
  /** There is one that does not count. */
  | { readonly type: 'other' }
  | { readonly type: 'absent'; readonly problem: string }
  /** There is one, but nobody can say what is in it. */
  | { readonly type: 'hidden'; readonly problem: string }

const maxFiles = 10_000

/** What is at paths now. To look again costs little as long as nothing changed. */
export class FileTable {
  readonly #files = new Map<string, FileHash>()

  /** Only files that count are read. */
  look(named: NamedPath, project: string): Looked {
    const { path } = named
    if (isOther(named, project)) return { type: 'other' }
    const state = this.#read(path)
    if (state.problem !== undefined) {
      const { problem, isAbsent } = state
      return { type: isAbsent ? 'absent' : 'hidden', problem }
    }
    try {
      const { hash } = state
      return { type: 'file', real: realpathSync.native(path), hash }
    } catch {
      return { type: 'absent', problem: 'does not exist' }
    }
  }

  #read(path: string): FileState {
    const file = this.#files.get(path) ?? new FileHash(path)
    const state = file.read()
    // Of what is not there, there is nothing to know.
    if (state.hash === undefined) this.#files.delete(path)
    else if (!this.#files.has(path)) this.#keep(file)
    return state
  }

  #keep(file: FileHash): void {
    if (this.#files.size >= maxFiles) this.#files.clear()
    this.#files.set(file.path, file)
  }
}

/** Of what is outside, only what runs counts, if others can change it. */
function isOther({ path, isNeeded }: NamedPath, project: string): boolean {
  if (isInside(path, project) || statOf(path) === undefined) return false
  const real = realOf(path)
  if (isInside(real, project)) return false
  return isOfSystem(real) || !(isNeeded || isRunnable(real))
}

function statOf(path: string): Stats | undefined {
  try {
    return statSync(path, { throwIfNoEntry: false })
  } catch {
    // Why it cannot be looked at is told by whoever reads it.
    return undefined
  }
}

const systemFolders = [
  ...['/bin', '/sbin', '/usr', '/lib', '/lib64', '/opt', '/nix/store'],
  ...['/System', '/Library'],
]

/** A program that only the administrator can change. */
function isOfSystem(real: string): boolean {
  if (!systemFolders.some((folder) => isInside(real, folder))) return false
  try {
    const { uid, mode } = statSync(real)
    return uid === 0 && (mode & 0o022) === 0
  } catch {
    return false
  }
}

/** Whether it looks like something that can be run. */
function isRunnable(real: string): boolean {
  if (/\.(?:sh|bash|zsh|py|rb|pl|php|[cm]?[jt]sx?|ps1|bat|cmd)$/i.test(real)) {
    return true
  }
  try {
    return (statSync(real).mode & 0o111) !== 0
  } catch {
    return false
  }
}
