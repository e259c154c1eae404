import type { ShellState } from './shell-state.ts'
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
  if (name === 'cd' || name === 'pushd' || name === 'popd') {
    state.folder = folderAfter(name, args, state)
    const { folder } = state
    const path = typeof folder === 'string' ? any : folder.path
    state.values.set('PWD', path)
  }
  // What they change nobody knows.
  const isUnknown = name.includes(any)
  if (isUnknown || name === 'source' || name === '.' || name === 'eval') {
    if (name !== 'eval') state.values.clear()
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
  for (const { text, isMany } of args) {
    const at = text.indexOf('=')
    const variable = at < 0 ? text : text.slice(0, at)
    if (isMany || variable.includes(any)) state.values.clear()
    // A second name for a variable: whatever is set by it is unknown.
    if (/^-\w*n/.test(text)) state.values.clear()
    if (at < 0) continue
    const value = text.slice(at + 1)
    if (name === 'alias') state.aliases.set(variable, value)
    else if (state.values.size < 200) state.values.set(variable, value)
    else state.values.delete(variable)
  }
}

function folderAfter(
  name: string,
  args: readonly Word[],
  { folder }: ShellState,
): ShellState['folder'] {
  const [target, ...more] = args.filter(({ text }) => !/^-[LPe@]*$/.test(text))
  if (name === 'popd' || more.length > 0) return 'unknown'
  if (args.some(({ text }) => text === '-')) return 'unknown'
  if (target === undefined) return { path: '~' }
  if (!isKnown(target)) return 'unknown'
  const { text } = target
  if (/^[/~]/.test(text)) return { path: text }
  if (folder === 'unknown') return 'unknown'
  const base = folder === 'start' ? '.' : folder.path
  return { path: `${base}/${text}` }
}
