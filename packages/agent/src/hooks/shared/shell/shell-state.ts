import { Unreadable } from './cursor.ts'
import type { FunctionStage } from './syntax.ts'
import { any, type Word } from './word.ts'

/** Where commands run; `start`: where the script was started. */
export type Folder = { readonly path: string } | 'start' | 'unknown'

/** What is known while a script is followed. */
export interface ShellState {
  /** Values with `any` in them; one that is not here can be anything. */
  readonly values: Map<string, string>
  /** Names that hold something else than what they are set to. */
  readonly opaque: Set<string>
  /** No value is what it is set to from now on. */
  isBlind: boolean
  readonly functions: Map<string, FunctionStage>
  readonly aliases: Map<string, string>
  /** Files that the script has written, by name: they outlive every shell. */
  readonly files: Map<string, string>
  /** All that the folder can be, the most likely one first: a `cd` can fail. */
  folders: readonly Folder[]
  /** The folders, if what has just run did not fail. */
  reached: readonly Folder[] | undefined
  /** What a function was called with. */
  arguments: readonly Word[] | undefined
  /** Scripts that run at any time from now on. */
  readonly traps: Set<string>
}

const separators = ' \t\n'

export function startState(folders: readonly Folder[]): ShellState {
  return {
    values: new Map([
      ['HOME', '~'],
      ['PWD', pathOf(folders)],
      ['IFS', separators],
    ]),
    opaque: new Set(),
    isBlind: false,
    functions: new Map(),
    aliases: new Map(),
    files: new Map(),
    folders,
    reached: undefined,
    arguments: undefined,
    traps: new Set(),
  }
}

/** The path of the most likely folder. */
export function pathOf([first]: readonly Folder[]): string {
  if (first === 'start') return '.'
  return typeof first === 'object' ? first.path : any
}

export const hasUsualSeparators = ({ values }: ShellState): boolean =>
  values.get('IFS') === separators

const maxValues = 200

/** Variables that the shell itself sets, or does not let be set. */
const managed =
  /^(?:_|REPLY|MAPFILE|OPTARG|OPTIND|OLDPWD|S?RANDOM|LINENO|SECONDS|GROUPS|FUNCNAME|PIPESTATUS|DIRSTACK|HISTCMD|E?UID|PPID|SHELLOPTS|(?:BASH|EPOCH|COMP_|COPROC|READLINE_)\w*)$/

export function setValue(state: ShellState, name: string, text: string): void {
  const { values, opaque, isBlind } = state
  if (isBlind || opaque.has(name) || managed.test(name)) {
    values.delete(name)
    return
  }
  if (values.size > maxValues) throw new Unreadable('it has too many variables')
  values.set(name, text)
}

/** Nothing is known of any value, now and later on. */
export function forgetValues(state: ShellState): void {
  state.values.clear()
  state.isBlind = true
}

/** The same again, for what runs in a process of its own. */
export function copyState(state: ShellState): ShellState {
  return {
    ...state,
    values: new Map(state.values),
    opaque: new Set(state.opaque),
    functions: new Map(state.functions),
    aliases: new Map(state.aliases),
    traps: new Set(state.traps),
  }
}

/** For another shell: it has only those variables that were exported. */
export function childState(state: ShellState): ShellState {
  const kept = [...state.values].filter(([name]) =>
    /^(?:HOME|PWD|IFS)$/.test(name),
  )
  return {
    ...copyState(state),
    values: new Map(kept),
    aliases: new Map(),
    arguments: undefined,
    traps: new Set(),
  }
}

const maxFolders = 4

/** Forgets what is not the same in another state that it can be in. */
export function mergeState(state: ShellState, other: ShellState): void {
  for (const [name, value] of state.values) {
    if (other.values.get(name) !== value) state.values.delete(name)
  }
  for (const name of other.opaque) state.opaque.add(name)
  state.isBlind ||= other.isBlind
  for (const [name, made] of other.functions) state.functions.set(name, made)
  for (const [name, text] of other.aliases) state.aliases.set(name, text)
  for (const text of other.traps) state.traps.add(text)
  state.folders = joinFolders(state.folders, other.folders)
  state.reached = undefined
}

export function isSameState(one: ShellState, other: ShellState): boolean {
  if (one.values.size !== other.values.size) return false
  if (folderText(one) !== folderText(other)) return false
  return [...one.values].every(
    ([name, value]) => other.values.get(name) === value,
  )
}

/** Without repetition; of too many nothing is known. */
export function joinFolders(
  ...all: readonly (readonly Folder[])[]
): readonly Folder[] {
  const joined = new Map(all.flat().map((one) => [folderName(one), one]))
  if (joined.size <= maxFolders) return [...joined.values()]
  return [...joined.values()].slice(0, maxFolders - 1).concat('unknown')
}

const folderName = (folder: Folder) =>
  typeof folder === 'string' ? folder : `/${folder.path}`

const folderText = ({ folders }: ShellState) =>
  folders.map(folderName).sort().join('\n')
