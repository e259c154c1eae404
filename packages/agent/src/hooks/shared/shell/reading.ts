import type { Folder } from './shell-state.ts'
import type { Word } from './word.ts'

/** What is known of a script without running it. */
export interface ShellReading {
  /** All that it can run, also through other programs. */
  readonly commands: readonly ShellCommand[]
  /** What cannot be known, in words; none: the list of commands is whole. */
  readonly unknown: readonly string[]
}

export interface ShellCommand {
  /** The program and its arguments; none: it only redirects. */
  readonly words: readonly Word[]
  readonly redirects: readonly Redirect[]
  /** `NAME=value` in front of it. */
  readonly settings?: readonly Word[]
  /** Where it can run, the most likely folder first. */
  readonly folders: readonly Folder[]
  /** The command that has this one run, such as `sudo`. */
  readonly parent?: ShellCommand
}

export interface Redirect {
  readonly kind: 'read' | 'write'
  readonly target: Word
}
