import { accessSync, constants, statSync } from 'node:fs'
import { homedir } from 'node:os'
import { delimiter, isAbsolute, join, resolve } from 'node:path'
import type { JsonValue } from 'hookline/lifecycle'
import { maxNames } from '../handlers/module/code-walk.ts'
import { canonicalJson } from '../seal/canonical-json.ts'
import { sha256 } from '../seal/sha256.ts'
import { FileTable, type Looked } from './file-table.ts'
import { isInside } from './is-inside.ts'
import { type NamedPaths, namedPaths } from './named-files.ts'
import type { NamedPath } from './path-list.ts'
import { realOf } from './real-of.ts'
import type { TrustSource } from './trust-source.ts'

/** A file whose bytes are part of what is trusted. */
export interface TrustedFile {
  /** As it is named. */
  readonly named: string
  readonly path: string
  /** Where it is, without links. */
  readonly real: string
  /** SHA-256 of its bytes. */
  readonly hash: string
}

/** What is trusted as a whole: what is said, and the files it names. */
export interface TrustSubject {
  /** SHA-256 over all of it and over the project. */
  readonly hash: string
  readonly files: readonly TrustedFile[]
  /** What is not part of it and cannot be. */
  readonly unseen: readonly string[]
  /** What will not run as it is, or cannot be covered. */
  readonly problems: readonly string[]
  /** It names what nobody can read, so that it cannot be trusted. */
  readonly isHidden: boolean
  /** How many paths were looked at. */
  readonly looks: number
}

export interface SubjectPlace {
  /** Without links. */
  readonly project: string
  /** Where the session works, without links; empty: nowhere. */
  readonly cwd: string
  /** So many paths are looked at; what has more cannot be trusted. */
  readonly maxLooks?: number
}

interface Known {
  readonly names: NamedPaths
  readonly looked: readonly Looked[]
  readonly subject: TrustSubject
}

const maxPlaces = 64

/** What sources come to, with their files as they are now. */
export class SubjectReader {
  readonly #table = new FileTable()
  readonly #searchPath: string
  readonly #known = new WeakMap<TrustSource, Map<string, Known>>()

  /** Takes the variable PATH. */
  constructor(searchPath: string) {
    this.#searchPath = searchPath
  }

  /** Costs little as long as none of the files has changed. */
  read(source: TrustSource, place: SubjectPlace): TrustSubject {
    const places = this.#known.get(source) ?? new Map<string, Known>()
    const key = `${place.project}\0${place.cwd}`
    const known = places.get(key)
    const { project, maxLooks = Number.POSITIVE_INFINITY } = place
    if (known !== undefined && known.names.paths.length <= maxLooks) {
      const now = this.#look(known.names, project)
      if (isSame(known.looked, now)) return known.subject
    }
    const names = this.#namesOf(source, { ...place, maxLooks })
    const looked = this.#look(names, project)
    const subject = this.#describe(source, place, { names, looked })
    if (places.size >= maxPlaces) places.clear()
    places.set(key, { names, looked, subject })
    this.#known.set(source, places)
    return subject
  }

  #look({ paths }: NamedPaths, project: string): readonly Looked[] {
    return paths.map((named) => this.#table.look(named, project))
  }

  #namesOf(
    source: TrustSource,
    { project, cwd, maxLooks }: Required<SubjectPlace>,
  ): NamedPaths {
    const searchPath = this.#pathOf(source)
    return namedPaths(source, {
      project,
      cwd: placeOf(source, cwd),
      searchPath,
      maxNames: Math.min(maxLooks, maxNames),
    })
  }

  #pathOf({ variables }: TrustSource): string {
    return variables?.['PATH'] ?? this.#searchPath
  }

  #describe(
    source: TrustSource,
    { project, cwd }: SubjectPlace,
    { names, looked }: Omit<Known, 'subject'>,
  ): TrustSubject {
    const files: TrustedFile[] = []
    const { problem } = names
    const problems = problem === undefined ? [] : [problem]
    let isHidden = problem !== undefined
    for (const [index, named] of names.paths.entries()) {
      const found = looked[index]
      if (found?.type === 'file') files.push(toFile(named, found))
      else if (found !== undefined && found.type !== 'other') {
        const isOurs = named.isNeeded || isInside(named.path, project)
        if (found.type === 'hidden' && isOurs) isHidden = true
        const isTold = named.isNeeded || (found.type === 'hidden' && isOurs)
        if (isTold) problems.push(`"${named.named}" ${found.problem}.`)
      }
    }
    const { program } = names
    const path = this.#pathOf(source)
    const place = placeOf(source, cwd)
    if (program !== undefined && !isOnPath(program, { path, cwd: place })) {
      problems.push(`The program "${program}" is not found; install it.`)
    }
    files.sort((one, other) => (one.path < other.path ? -1 : 1))
    const { content } = source
    const folder = realOf(source.folder)
    const hash = hashOf({ project, folder, content, files })
    const { unseen, paths } = names
    const looks = paths.length
    return { hash, files, unseen, problems, isHidden, looks }
  }
}

function hashOf({
  files,
  ...rest
}: {
  readonly project: string
  /** The same words mean something else in another one. */
  readonly folder: string
  readonly content: JsonValue
  readonly files: readonly TrustedFile[]
}): string {
  const said = files.map(({ path, real, hash }) => ({ path, real, hash }))
  return sha256(canonicalJson({ format: 1, ...rest, files: said }))
}

function isSame(one: readonly Looked[], other: readonly Looked[]): boolean {
  return one.every((looked, index) => {
    const now = other[index]
    if (looked.type === 'other') return now?.type === looked.type
    if (looked.type !== 'file') {
      // A folder that came where nothing was leads to other files.
      return now?.type === looked.type && now.problem === looked.problem
    }
    if (now?.type !== 'file') return false
    return now.hash === looked.hash && now.real === looked.real
  })
}

/** Where the command of a source runs, which is found as commands find it. */
function placeOf({ cwd, folder }: TrustSource, session: string): string {
  if (cwd !== undefined) return resolve(folder, cwd)
  return [session, folder, homedir()].find(isFolder) ?? session
}

function isFolder(path: string): boolean {
  if (!isAbsolute(path)) return false
  try {
    const stats = statSync(path, { throwIfNoEntry: false })
    return stats?.isDirectory() === true
  } catch {
    return false
  }
}

function toFile(
  { named, path }: NamedPath,
  { real, hash }: Extract<Looked, { type: 'file' }>,
): TrustedFile {
  return { named, path, real, hash }
}

function isOnPath(
  program: string,
  { path, cwd }: { readonly path: string; readonly cwd: string },
): boolean {
  const endings =
    process.platform === 'win32' ? ['', '.exe', '.cmd', '.bat'] : ['']
  return path.split(delimiter).some((folder) =>
    endings.some((ending) => {
      const base = isAbsolute(folder) ? folder : resolve(cwd, folder)
      return canRun(join(base, `${program}${ending}`))
    }),
  )
}

function canRun(path: string): boolean {
  try {
    accessSync(path, constants.X_OK)
    return statSync(path).isFile()
  } catch {
    return false
  }
}
