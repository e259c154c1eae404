import { changeState } from './builtins.ts'
import { folderBelow } from './folder-below.ts'
import type { Inner } from './inner.ts'
import { innerCommands } from './inner-commands.ts'
import { isSafeCode } from './interpreters.ts'
import { outputOf } from './outputs.ts'
import type { ShellCommand } from './reading.ts'
import {
  called,
  followLeavable,
  leave,
  type Scene,
  type Walk,
} from './scene.ts'
import {
  childState,
  copyState,
  forgetValues,
  isSameState,
  mergeState,
  type ShellState,
} from './shell-state.ts'
import { any, type Word } from './word.ts'
import { fileText } from './written-files.ts'

/** Builtins that run what they are given in this very shell. */
const inThisShell = new Set(
  'eval command builtin exec source . noglob nocorrect time'.split(' '),
)
const leaving = new Set(['return', 'break', 'continue'])

type Given = Pick<ShellCommand, 'words' | 'redirects' | 'settings'>

/** Tells of a command, follows what it runs, and gives what it prints. */
export function runCommand(walk: Walk, given: Given, scene: Scene): string {
  const { words, redirects } = given
  const { state, parent, input } = scene
  walk.count(words.length + redirects.length)
  const { folders } = state
  const command = { ...given, folders, ...(parent && { parent }) }
  walk.listener.onCommand(command)
  const [program, ...rest] = words
  if (program === undefined) return ''
  const inner = { ...scene, parent: command }
  // A name that the script has made its own may still be the builtin, too.
  const plain = isOwn(program.text, state) ? copyState(state) : state
  runOwn(walk, program.text, rest, inner)
  if (program.text.includes('/')) {
    runFile(walk, { path: program.text, by: 'sh' }, inner)
  }
  if (leaving.has(program.text)) leave(scene)
  for (const one of innerCommands(words, input)) {
    runInner(walk, one, { ...inner, state: plain }, program.text)
  }
  changeState(words, plain)
  if (plain !== state) mergeState(state, plain)
  return outputOf(words, input)
}

function runInner(walk: Walk, one: Inner, scene: Scene, by: string): void {
  const { listener } = walk
  const calls = called(scene, one.type)
  const isHere = inThisShell.has(by)
  const { state } = scene
  if (one.type === 'code') listener.onCode(one.what)
  else if (one.type === 'file') runFile(walk, one, { ...scene, calls })
  else if (by === 'trap' && one.type === 'script') {
    state.traps.add(one.text)
    const later = copyState(state)
    runText(walk, one.text, { ...scene, state: later, calls })
    if (!isSameState(state, later)) forgetValues(state)
  } else if (one.type === 'script') {
    const own = isHere ? state : inFolder(childState(state), one.folder)
    runText(walk, one.text, { ...scene, state: own, calls })
  } else {
    const own = isHere ? state : inFolder(copyState(state), one.folder)
    runCommand(
      walk,
      { words: one.words, redirects: [] },
      {
        ...scene,
        state: own,
        calls,
      },
    )
  }
}

function inFolder(state: ShellState, path: string | undefined): ShellState {
  if (path === undefined) return state
  const folders = state.folders.map((from) =>
    path.includes(any) ? 'unknown' : folderBelow(from, path),
  )
  return { ...state, folders }
}

/** Traps run at any time: again whenever what they use may have changed. */
export function runTraps(walk: Walk, scene: Scene, before: ShellState): void {
  const { state } = scene
  if (state.traps.size === 0 || isSameState(state, before)) return
  for (const text of state.traps) {
    runText(walk, text, { ...scene, state: copyState(state) })
  }
}

const isOwn = (name: string, { functions, aliases }: ShellState) =>
  functions.has(name) || aliases.has(name)

/** Functions and other names that the script itself has made. */
function runOwn(
  walk: Walk,
  name: string,
  rest: readonly Word[],
  scene: Scene,
): void {
  const { state } = scene
  const own = state.functions.get(name)
  const alias = state.aliases.get(name)
  if (own === undefined && alias === undefined) return
  const call = `${name}()`
  if (scene.calls.includes(call)) {
    if (own) walk.listener.onCode(`"${name}", which calls itself`)
    return
  }
  const calls = called(scene, call)
  const before = state.arguments
  state.arguments = rest
  if (own) {
    followLeavable({ ...scene, calls }, (inner) => {
      walk.followStage(own.body, inner)
    })
  }
  if (alias) {
    // After a blank at its end the next word can be such a name, too.
    const [first] = rest
    const next = first && /\s$/.test(alias) && state.aliases.get(first.text)
    const text = next ? `${alias} ${next} "$@"` : `${alias} "$@"`
    runText(walk, text, { ...scene, calls })
  }
  state.arguments = before
}

/** Runs a file, if the script itself has written it. */
function runFile(
  walk: Walk,
  { path, by }: { readonly path: string; readonly by: string },
  scene: Scene,
): void {
  const { onCode } = walk.listener
  const text = fileText(path, scene.state)
  if (text === undefined) return
  const [, interpreter = by] = /^#!.*?(\w+)[\d.]*\s*(?:\n|$)/.exec(text) ?? []
  if (text.includes(any)) onCode('a file that was written just before')
  else if (by === 'make' || /^\.$|sh$/.test(interpreter)) {
    const state = by === '.' ? scene.state : childState(scene.state)
    // Recipes are scripts with signs of their own before them.
    const script = by === 'make' ? text.replace(/^\t[@+-]*/gm, '') : text
    runText(walk, script, { ...scene, state })
  } else if (!isSafeCode(interpreter, text)) {
    onCode(`a file of code for ${interpreter}`)
  }
}

/** Follows a text as a script. */
export function runText(
  walk: Walk,
  text: string,
  scene: Scene,
  what = 'a text',
): void {
  const { listener, follow } = walk
  const calls = called(scene, 'text')
  if (text.includes(any)) listener.onCode(`${what} that is not known`)
  if (text !== any) follow(listener.parse(text), { ...scene, calls })
}
