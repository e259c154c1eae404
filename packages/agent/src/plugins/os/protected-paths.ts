import { readlinkSync } from 'node:fs'
import { basename, dirname, join, resolve, sep } from 'node:path'
import { OsError } from './os-error.ts'

/** Folders whose files are run, or decide what is run, later on. */
const folders = [
  '.git',
  '.hg',
  '.husky',
  '.githooks',
  '.hookline',
  '.claude',
  '.codex',
  '.gemini',
  '.cursor',
  '.vscode',
  '.idea',
  '.devcontainer',
  '.ssh',
  '.yarn',
]

/** The same for single files, wherever they are. */
const files = [
  '.envrc',
  '.npmrc',
  '.yarnrc',
  '.yarnrc.yml',
  '.pnpmfile.cjs',
  '.pnpmfile.mjs',
  '.pre-commit-config.yaml',
  'lefthook.yml',
  '.lefthook.yml',
  '.mcp.json',
  '.bashrc',
  '.bash_profile',
  '.bash_login',
  '.bash_logout',
  '.bash_aliases',
  '.zshrc',
  '.zshenv',
  '.zprofile',
  '.zlogin',
  '.zlogout',
  '.profile',
  '.gitconfig',
  '.gitmodules',
  'pyvenv.cfg',
  'sitecustomize.py',
  'usercustomize.py',
  // Of these two the scripts cannot be told from the rest.
  'package.json5',
  'package.yaml',
  // Installing a package builds it, which runs what it says.
  'binding.gyp',
]

const names: ReadonlySet<string> = new Set([...folders, ...files])
const ownConfig = /^hookline\.config\.\w+$/
/** What a store keeps beside its file. */
const sidecars = ['-wal', '-shm', '-journal']

export interface ProtectedOptions {
  /** Real paths that no tool writes to, such as the store; with what is in them. */
  readonly paths: readonly string[]
  /** Names of the lists above that may be written to after all. */
  readonly allowed: readonly string[]
}

/** What a store would keep beside a file, whether it is there or not. */
export function sidecarsOf(path: string): readonly string[] {
  return sidecars.map((end) => `${path}${end}`)
}

/** Whether a file or folder with this name is protected, wherever it is. */
export function isProtectedName(
  name: string,
  allowed: readonly string[],
): boolean {
  const plain = plainName(name)
  const isListed = names.has(plain) || ownConfig.test(plain)
  return isListed && !allowed.includes(plain)
}

/** Throws if a tool must not write to a file, for what it would do later. */
export function checkWritable(
  path: string,
  { paths, allowed }: ProtectedOptions,
): void {
  const parts = path.split(sep)
  const plain = plainPath(path)
  const isOwn = paths.map(plainPath).some((own) => {
    const all = [own, ...sidecarsOf(own)]
    return all.includes(plain) || plain.startsWith(`${own}${sep}`)
  })
  const isProtected = parts.some((name) => isProtectedName(name, allowed))
  if (!isOwn && !isProtected) return
  throw new OsError(
    `"${path}" is protected: what is written there is run, or decides what is run, later on. Ask the user to change it.`,
  )
}

/**
 * Scripts of a package.json are run by others; the rest of it is data. A file
 * is one by any of its names, the one by which a link beside it leads there too.
 */
export function checkPackageScripts(
  names: readonly string[],
  before: string,
  after: string,
  { allowed }: ProtectedOptions,
): void {
  if (!names.some(isPackage)) return
  if (allowed.includes('package.json')) return
  const now = scriptsIn(after)
  if (now === '{}' || now === scriptsIn(before)) return
  throw new OsError(
    `The scripts in "${names.at(-1)}" are protected: they are run later on. Ask the user to change them.`,
  )
}

function isPackage(path: string): boolean {
  if (plainName(basename(path)) === 'package.json') return true
  const folder = dirname(path)
  try {
    const link = readlinkSync(join(folder, 'package.json'))
    return resolve(folder, link) === path
  } catch {
    // There is none, or it is no link.
    return false
  }
}

/** As text; what cannot be read has scripts that nobody knows. */
function scriptsIn(text: string): string {
  if (text.trim() === '') return '{}'
  try {
    const data: unknown = JSON.parse(text)
    const scripts: unknown = Object(data).scripts ?? {}
    return JSON.stringify(scripts)
  } catch {
    return text
  }
}

function plainPath(path: string): string {
  return path.split(sep).map(plainName).join(sep)
}

/**
 * Some file systems tell no case apart, nor how a letter is made up, nor signs
 * that cannot be seen; some leave out what is at the end.
 */
function plainName(name: string): string {
  return name
    .normalize('NFKC')
    .replace(/\p{Default_Ignorable_Code_Point}/gu, '')
    .toLowerCase()
    .replace(/(?<=[^. ])[. ]+$/, '')
}
