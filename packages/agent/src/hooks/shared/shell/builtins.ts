import { folderBelow } from './folder-below.ts'
import {
  type Folder,
  forgetValues,
  joinFolders,
  pathOf,
  type ShellState,
  setValue,
} from './shell-state.ts'
import { any, isKnown, type Word } from './word.ts'

const settingNames = new Set(
  'read printf mapfile readarray getopts let unset wait'.split(' '),
)
const declaring = new Set(
  'declare typeset local export readonly alias'.split(' '),
)

/** What a command changes for those after it in the same shell. */
export function changeState(words: readonly Word[], state: ShellState): void {
  const [program, ...args] = words
  const name = program?.text ?? ''
  state.reached = undefined
  if (name === 'cd' || name === 'pushd' || name === 'popd') {
    const reached = state.folders.map((from) => folderAfter(name, args, from))
    state.reached = joinFolders(reached)
    state.folders = joinFolders(reached, state.folders)
    setValue(state, 'PWD', pathOf(state.folders))
  }
  // What they change nobody knows.
  if (name.includes(any) || name === 'source' || name === '.') {
    state.values.clear()
  }
  if (declaring.has(name)) declare(name, args, state)
  if (!settingNames.has(name)) return
  for (const { text } of args) {
    if (text.includes(any)) state.values.clear()
    const [variable = ''] = /^[A-Za-z_]\w*/.exec(text) ?? []
    state.values.delete(variable)
  }
}

function declare(name: string, args: readonly Word[], state: ShellState): void {
  const flags = args.flatMap(({ text }) => /^[-+](\w+)$/.exec(text)?.[1] ?? [])
  const isAlias = name === 'alias'
  // By a second name for a variable any other one can be set.
  if (!isAlias && flags.join('').includes('n')) forgetValues(state)
  const isOpaque = name === 'readonly' || /[lucir]/.test(flags.join(''))
  for (const { text, isMany } of args) {
    const [, variable = '', rest = '', value] =
      /^([^=[+\0]*)([^=]*)(?:=([\s\S]*))?$/.exec(text) ?? []
    if (isMany || (variable + rest).includes(any)) state.values.clear()
    if (isAlias) {
      if (value !== undefined) state.aliases.set(variable + rest, value)
      continue
    }
    if (value !== undefined && rest === '') setValue(state, variable, value)
    // A part of it is set, or something is added.
    else if (value !== undefined) state.values.delete(variable)
    if (isOpaque) state.opaque.add(variable)
    // The value is changed on its way, but for one that stays as it is.
    if (/[luci]/.test(flags.join(''))) state.values.delete(variable)
  }
}

function folderAfter(
  name: string,
  args: readonly Word[],
  folder: Folder,
): Folder {
  const isOption = /^-[LPe@]*$|^--$/
  const [target, ...more] = args.filter(({ text }) => !isOption.test(text))
  if (name === 'popd' || more.length > 0) return 'unknown'
  if (args.some(({ text }) => text === '-')) return 'unknown'
  if (target === undefined) return { path: '~' }
  return isKnown(target) ? folderBelow(folder, target.text) : 'unknown'
}
