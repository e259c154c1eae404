import type { FunctionStage } from './syntax.ts'
import type { Word } from './word.ts'

/** What is known while a script is followed. */
export interface ShellState {
  /** Values with `any` in them; one that is not here can be anything. */
  readonly values: Map<string, string>
  readonly functions: Map<string, FunctionStage>
  readonly aliases: Map<string, string>
  /** The folder commands run in; unknown: nobody knows, none: as at the start. */
  folder: { readonly path: string } | 'start' | 'unknown'
  /** What a function was called with. */
  arguments: readonly Word[] | undefined
}

const separators = ' \t\n'

export function startState(): ShellState {
  return {
    values: new Map([
      ['HOME', '~'],
      ['PWD', '.'],
      ['IFS', separators],
    ]),
    functions: new Map(),
    aliases: new Map(),
    folder: 'start',
    arguments: undefined,
  }
}

export const hasUsualSeparators = ({ values }: ShellState): boolean =>
  values.get('IFS') === separators

/** The same again, for what runs in a process of its own. */
export function copyState(state: ShellState): ShellState {
  return {
    ...state,
    values: new Map(state.values),
    functions: new Map(state.functions),
    aliases: new Map(state.aliases),
  }
}

/** Forgets what is not the same in another state that it can be in. */
export function mergeState(state: ShellState, other: ShellState): void {
  for (const [name, value] of state.values) {
    if (other.values.get(name) !== value) state.values.delete(name)
  }
  for (const [name, made] of other.functions) state.functions.set(name, made)
  for (const [name, text] of other.aliases) state.aliases.set(name, text)
  if (folderText(state) !== folderText(other)) state.folder = 'unknown'
}

export function isSameState(one: ShellState, other: ShellState): boolean {
  if (one.values.size !== other.values.size) return false
  if (folderText(one) !== folderText(other)) return false
  return [...one.values].every(
    ([name, value]) => other.values.get(name) === value,
  )
}

function folderText({ folder }: ShellState): string {
  return typeof folder === 'string' ? folder : `/${folder.path}`
}
