import { lstat } from 'node:fs/promises'
import { isAbsolute, join, parse } from 'node:path'
import type { compilePathPattern } from '../../paths/path-pattern.ts'
import { meaningsOf, realFolders } from '../../paths/real-path.ts'

/** What there is by a name: a file, something else, or nothing. */
type Found = 'file' | 'other' | undefined

/** What names mean that a search has printed. */
export interface FoundNames {
  /** Whether no tool gets what it may mean. */
  readonly isDenied: (name: string) => Promise<boolean>
  /** What there is; absent where nobody knows what names are from. */
  readonly find?: (name: string) => Promise<Found>
}

interface Searched {
  /** The folders that were searched, by all that their paths mean. */
  readonly folders: readonly string[]
  readonly cwd: string | undefined
  /** What no tool gets. */
  readonly denied: readonly ReturnType<typeof compilePathPattern>[]
  /** Names are from the folder that was searched, and no link was followed. */
  readonly isPlain: boolean
}

/** The same is asked of many names; what is known holds for one result. */
export function foundNames(searched: Searched): FoundNames {
  const { folders, cwd, denied, isPlain } = searched
  // Some print it from the folder that was searched, some from here.
  const hasFolder = cwd !== undefined && isAbsolute(cwd)
  const places = hasFolder ? [...folders, cwd] : folders
  const here = realFolders(['.'], cwd)
  const findAt = remembering(lookAt)
  const meaningsAt = remembering((path: string) => meaningsOf(path, cwd))

  async function isDenied(name: string): Promise<boolean> {
    const isBelow = isPlain && (await findIn(folders, name)) !== undefined
    const all = await Promise.all(
      (isBelow ? folders : places).map((from) => meaningsFrom(from, name)),
    )
    if (all.some((meanings) => meanings.length === 0)) return true
    const below = await here
    const meanings = [...new Set(all.flat())]
    return denied.some((fits) =>
      meanings.some((meaning) => fits(meaning, below)),
    )
  }

  /** Most names are text, of which hardly anything is there to be looked up. */
  async function meaningsFrom(
    folder: string,
    name: string,
  ): Promise<readonly string[]> {
    if (name.includes('\0')) return []
    const { root } = parse(name)
    const parts = name.slice(root.length).split('/')
    if (parts.includes('..')) {
      const isOdd = parts.length > mostWithUps
      return isOdd ? [] : await meaningsAt(pathFrom(folder, name))
    }
    let path = isAbsolute(name) ? root : folder
    for (const [at, part] of parts.entries()) {
      const next = join(path, part)
      if ((await findAt(next)) === undefined) {
        const missing = parts.slice(at)
        const known = await meaningsAt(path)
        return known.map((meaning) => join(meaning, ...missing))
      }
      path = next
    }
    return await meaningsAt(path)
  }

  async function findIn(from: readonly string[], name: string): Promise<Found> {
    // No name has it, and no system can be asked about it.
    if (name.includes('\0')) return undefined
    const all = await Promise.all(
      from.map((folder) => findAt(pathFrom(folder, name))),
    )
    return all.find((one) => one === 'file') ?? all.find(Boolean)
  }

  if (!isPlain) return { isDenied }
  return { isDenied, find: (name) => findIn(places, name) }
}

/** Where `..` leads takes long to find out, and no tool prints more. */
const mostWithUps = 64

/** As it is written: where `..` leads is not for the text alone to say. */
function pathFrom(folder: string, name: string): string {
  return isAbsolute(name) ? name : `${folder}/${name}`
}

async function lookAt(path: string): Promise<Found> {
  try {
    return (await lstat(path)).isFile() ? 'file' : 'other'
  } catch (error) {
    const code: unknown = Object(error).code
    // What may not be looked at may be there all the same.
    return code === 'ENOENT' || code === 'ENOTDIR' ? undefined : 'other'
  }
}

/** Looks once. */
export function remembering<T>(look: (text: string) => Promise<T>) {
  const known = new Map<string, Promise<T>>()
  return (text: string) => {
    const found = known.get(text) ?? look(text)
    known.set(text, found)
    return found
  }
}
