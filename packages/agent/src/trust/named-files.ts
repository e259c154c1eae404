import { homedir } from 'node:os'
import { basename, delimiter, isAbsolute, join, resolve } from 'node:path'
import { interpreterOf } from './interpreter-of.ts'
import { isInside } from './is-inside.ts'
import { type NamedPath, PathList } from './path-list.ts'
import { foldersIn, shellWords } from './shell-words.ts'
import type { TrustSource } from './trust-source.ts'

export interface NamedPaths {
  readonly paths: readonly NamedPath[]
  /** A program that is looked for by its name alone. */
  readonly program: string | undefined
  readonly unseen: readonly string[]
  /** Why not all of it can be looked at. */
  readonly problem: string | undefined
}

export interface NamedPathsOptions {
  readonly project: string
  readonly cwd: string
  /** The variable PATH that programs are looked for in. */
  readonly searchPath: string
  /** So many names are followed, each to all that it may stand for. */
  readonly maxNames: number
}

/** What programs read of a folder by themselves. */
const readByThemselves: Readonly<Record<string, readonly string[]>> = {
  npm: ['package.json'],
  npx: ['package.json'],
  pnpm: ['package.json'],
  yarn: ['package.json'],
  bun: ['package.json'],
  bunx: ['package.json'],
  make: ['Makefile', 'makefile', 'GNUmakefile'],
  just: ['justfile', 'Justfile'],
  rake: ['Rakefile'],
}

const packageRunners = ['npm', 'npx', 'pnpm', 'yarn', 'bun', 'bunx']
const scriptRunner =
  /^(?:(?:ba|da|z|k|fi)?sh|python[\d.]*|node|deno|bun|tsx|ruby|perl|php|pwsh)$/
const maxBases = 16

/** Every path that a source names, whether there is a file or not. */
export function namedPaths(
  source: TrustSource,
  { project, cwd, searchPath, maxNames }: NamedPathsOptions,
): NamedPaths {
  const { argv = [], files = [], folder, programFolder = cwd } = source
  const list = new PathList(project, maxNames)
  for (const file of files) list.need(file, resolve(folder, file))
  const [program = '', ...args] = argv
  const isPath = /[/\\]/.test(program)
  if (isPath) list.need(program, resolve(programFolder, program))
  const script = scriptOf(program, args)
  if (script !== undefined) list.need(script, resolve(cwd, script))

  const said = wordsOf(source, cwd)
  const bases = basesOf(said.folders, cwd)
  const folders = projectFolders(searchPath, { project, cwd })
  for (const word of said.words) {
    if (list.isFull) break
    addWord(list, word, { words: said.words, bases, folders })
  }
  // What is found on the way is looked at as well: they can be chained.
  for (const { path } of list) {
    if (list.isFull) break
    if (isOfNetwork(path)) continue
    if (isInside(path, project)) list.addImportsOf(path)
    const interpreter = interpreterOf(path)
    if (interpreter === undefined) continue
    const { words } = shellWords(interpreter, said.variables)
    for (const word of words) list.add(word, resolve(cwd, word))
  }
  const all = [...list]
  const paths = all.filter(({ path }) => !isOfNetwork(path))
  return {
    paths,
    program: program === '' || isPath ? undefined : program,
    unseen: said.unseen,
    problem: problemOf({
      isFar: paths.length < all.length,
      isMuch: list.isFull || bases.length > maxBases,
    }),
  }
}

function problemOf({
  isFar,
  isMuch,
}: {
  readonly isFar: boolean
  readonly isMuch: boolean
}): string | undefined {
  if (isFar) return 'It names a file of another machine, which is not asked.'
  if (!isMuch) return undefined
  return 'It names more files and folders than can be looked at; name fewer.'
}

/** To look at such a path would connect to whatever machine it names. */
function isOfNetwork(path: string): boolean {
  return process.platform === 'win32' && /^[\\/]{2}/.test(path)
}

interface SaidWords {
  readonly words: ReadonlySet<string>
  readonly folders: readonly string[]
  readonly variables: Readonly<Record<string, string>>
  readonly unseen: readonly string[]
}

/** All that a source says which may be a path, or a part of one. */
function wordsOf(
  { argv = [], shell, files = [], variables = {} }: TrustSource,
  cwd: string,
): SaidWords {
  const known = { HOME: homedir(), PWD: cwd, ...variables }
  const words = new Set(argv)
  const folders = new Set(foldersIn(argv))
  const unseen = new Set<string>()
  if (files.length > 0) {
    unseen.add('What the file imports from packages is not covered.')
  }
  if (argv.length > 0 || shell !== undefined) {
    unseen.add('What its files load in turn is not covered.')
  }
  const scripts = shell === undefined ? [] : [shell]
  for (const text of [...argv, ...scripts, ...Object.values(variables)]) {
    const seen = shellWords(text, known)
    for (const word of seen.words) words.add(word)
    for (const folder of seen.folders) folders.add(folder)
    // Arguments of a program are what they are.
    if (text === shell) for (const one of seen.unseen) unseen.add(one)
  }
  return {
    words,
    folders: [...folders],
    variables: known,
    unseen: [...unseen],
  }
}

/** Where relative paths may start: where it runs, and wherever it goes to. */
function basesOf(folders: readonly string[], cwd: string): readonly string[] {
  const bases = new Set([cwd])
  for (const folder of folders) {
    for (const base of [...bases]) {
      if (bases.size <= maxBases) bases.add(resolve(base, folder))
    }
  }
  return [...bases]
}

/** The first argument of an interpreter that is no option. */
function scriptOf(
  program: string,
  args: readonly string[],
): string | undefined {
  if (!scriptRunner.test(basename(program))) return undefined
  const [first] = args
  // With an option before it, what it is depends on the option.
  if (first === undefined || first.startsWith('-')) return undefined
  return /[/\\.]/.test(first) ? first : undefined
}

/** Folders of the search path that the project has in its hands. */
function projectFolders(
  searchPath: string,
  { project, cwd }: { readonly project: string; readonly cwd: string },
): readonly string[] {
  return searchPath
    .split(delimiter)
    .map((folder) => resolve(cwd, folder))
    .filter((folder) => isInside(folder, project))
}

interface WordOptions {
  readonly words: ReadonlySet<string>
  readonly bases: readonly string[]
  readonly folders: readonly string[]
}

function addWord(
  list: PathList,
  word: string,
  { words, bases, folders }: WordOptions,
): void {
  // No path is so long, and none has this character in it.
  if (word.length > 4_096 || word.includes('\0')) return
  for (const base of bases) addWordIn(list, word, { words, base })
  if (isAbsolute(word)) return
  for (const folder of folders) list.addFurther(join(folder, word))
}

function addWordIn(
  list: PathList,
  word: string,
  {
    words,
    base,
  }: { readonly words: ReadonlySet<string>; readonly base: string },
): void {
  const path = resolve(base, word.replace(/^~(?=\/)/, homedir()))
  const has = (names: readonly string[]) => names.some((one) => words.has(one))
  const isOfNode = !isAbsolute(word) && has(['node', 'tsx', 'bun', 'deno'])
  if (isOfNode && !isOfNetwork(path)) list.addCode(word, path)
  else list.add(word, path)
  for (const file of readByThemselves[basename(word)] ?? []) {
    list.addFurther(join(base, file))
  }
  if (isAbsolute(word)) return
  if (has(packageRunners)) {
    list.addFurther(join(base, 'node_modules/.bin', word))
  }
  if (words.has('-m')) {
    const module = join(base, ...word.split('.'))
    list.addFurther(`${module}.py`)
    list.addFurther(join(module, '__main__.py'))
  }
}
