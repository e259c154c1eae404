import { Unreadable } from './cursor.ts'
import type { Input } from './outputs.ts'
import type { ShellCommand } from './reading.ts'
import { copyState, mergeState, type ShellState } from './shell-state.ts'
import type { Script, Stage } from './syntax.ts'

/** Whom a script is followed for. */
export interface Listener {
  readonly parse: (text: string) => Script
  readonly onCommand: (command: ShellCommand) => void
  /** Code is run that nobody knows. */
  readonly onCode: (what: string) => void
}

/** One way through a script and all that it runs. */
export interface Walk {
  readonly listener: Listener
  /** Follows a script, and gives what is known of its output. */
  readonly follow: (script: Script, scene: Scene) => string
  readonly followStage: (stage: Stage, scene: Scene) => string
  /** Refuses to go on where there is too much of it. */
  readonly count: (words: number) => void
}

/** What holds where a command stands. */
export interface Scene {
  readonly state: ShellState
  readonly input: Input
  /** The command that has this one run. */
  readonly parent?: ShellCommand
  /** The functions, texts and commands that it is within. */
  readonly calls: readonly string[]
  /** For each function and loop around it: the states it can be left in. */
  readonly left: readonly ShellState[][]
}

const maxCalls = 16
const maxLeft = 50

/** The calls, and one more. */
export function called({ calls }: Scene, name: string): readonly string[] {
  if (calls.length >= maxCalls) throw new Unreadable('it is nested too deep')
  return [...calls, name]
}

/** Something that can be left by `return`, `break` or `continue`. */
export function followLeavable(
  scene: Scene,
  follow: (inner: Scene) => void,
): void {
  const left: ShellState[] = []
  follow({ ...scene, left: [...scene.left, left] })
  for (const state of left) mergeState(scene.state, state)
}

/** What follows may not run: the state as it is now can be the last one. */
export function leave({ state, left }: Scene): void {
  for (const states of left) {
    if (states.length >= maxLeft) throw new Unreadable('it is left too often')
    states.push(copyState(state))
  }
}
